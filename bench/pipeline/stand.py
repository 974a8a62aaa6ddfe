"""What the measures over real processes need: a folder, a broker, configurations, processes whose processor time and memory are read."""
import contextlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
KAFKA = str(ROOT / 'tests/services/kafka')
TICKS = os.sysconf('SC_CLK_TCK')

CONFIG = '''\
data_dir: {data}
instance: {instance}
log: {{ level: warning }}
http: {{ port: {http} }}
clusters:
  - {{ name: warehouse, namespace: "hive://warehouse:9083", time_zone: UTC }}
sources:
{sources}
'''
SOURCE = '  - {{ name: {name}, kind: daemon-log, cluster: warehouse, host: {name}, paths: ["{paths}"], from_beginning: true }}\n'
BROKER = 'kafka:\n  brokers: ["127.0.0.1:{port}"]\n'


def free_ports(count):
    """The first of `count` ports in a row on which nobody listens."""
    for port in random.sample(range(20000, 30000), 200):
        with contextlib.suppress(OSError):
            for p in range(port, port + count):
                with socket.socket() as s:
                    s.bind(('127.0.0.1', p))
            return port
    raise OSError('no free ports')


def cpu_seconds(pid):
    """Processor time of a process so far."""
    fields = pathlib.Path('/proc/%d/stat' % pid).read_text(encoding='ascii').rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def busy_seconds():
    """Processor time that all processes together had so far."""
    words = pathlib.Path('/proc/stat').read_text(encoding='ascii').split('\n', 1)[0].split()[1:]
    return (sum(map(int, words[:8])) - int(words[3]) - int(words[4])) / TICKS


def peak_mib(pid):
    """Most memory that it had resident."""
    return int(re.search(r'VmHWM:\s+(\d+)', pathlib.Path('/proc/%d/status' % pid).read_text(encoding='ascii')).group(1)) / 1024


class Stand:
    """A temporary folder and all that runs in it; leaving the block ends everything."""

    def __init__(self, colline, programs, folder=None):
        self.colline, self.programs = colline, programs
        self.work = pathlib.Path(tempfile.mkdtemp(prefix='colline-bench-', dir=folder))
        self.processes, self.port, self.broker_pid = [], None, None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
                process.wait()
        if self.port:
            subprocess.run([KAFKA, 'remove', str(self.work / 'kafka')], check=False)
        shutil.rmtree(self.work, ignore_errors=True)

    def start_broker(self):
        for _ in range(3):  # another process may take the port meanwhile
            self.port = free_ports(2)
            done = subprocess.run([KAFKA, 'start', str(self.work / 'kafka'), str(self.port)], stderr=subprocess.PIPE, encoding='utf-8', check=False)
            if done.returncode == 0:
                break
        else:
            log = (self.work / 'kafka/log').read_text(encoding='utf-8', errors='replace').splitlines()
            raise ValueError('the broker does not start: %s' % ' | '.join([line for line in log if 'ERROR' in line][-3:] or [done.stderr[-500:]]))
        self.broker_pid = int((self.work / 'kafka/pid').read_text(encoding='ascii'))

    def configuration(self, name, sources=(), more='', http=0):
        """Writes a configuration; `sources` are (name, pattern of paths)."""
        text = CONFIG.format(data=self.work / name, instance=name, http=http,
                             sources=''.join(SOURCE.format(name=n, paths=p) for n, p in sources) or '  []\n')
        path = self.work / (name + '.yaml')
        path.write_text(text + (BROKER.format(port=self.port) if self.port else '') + more, encoding='utf-8')
        return path

    def program(self, name, *arguments, status=(0,)):
        """Runs a program of the benchmark; the object that it prints."""
        done = subprocess.run([str(self.programs / ('bench_pipeline_' + name)), *map(str, arguments)], stdout=subprocess.PIPE, check=False,
                              encoding='utf-8')
        if done.returncode not in status:
            raise ValueError('%s ended with status %d: %s' % (name, done.returncode, done.stdout.strip()))
        return json.loads(done.stdout)

    def logs(self, queries, fingerprints=20000, files=4, hosts=1):
        folder = self.work / 'logs'
        folder.mkdir()
        self.program('logs', folder, queries, fingerprints, files, hosts)
        return folder

    def start(self, *arguments):
        """A process of colline."""
        log = open(self.work / 'services.log', 'ab')
        process = subprocess.Popen([self.colline, *map(str, arguments)], stdout=log, stderr=log)
        self.processes.append(process)
        return process

    def run(self, *arguments):
        """Runs colline to its end: seconds, processor seconds, peak MiB."""
        begin = time.monotonic()
        process = self.start(*arguments)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise ValueError('colline %s ended with status %d: %s' % (arguments[0], process.returncode, self.said()))
        return time.monotonic() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024

    def said(self):
        text = (self.work / 'services.log').read_text(encoding='utf-8', errors='replace')
        return text[-2000:].strip()

    def stop(self, process):
        process.send_signal(signal.SIGTERM)
        process.wait(60)

    def ready(self, port, process, seconds=60):
        """Waits until the service says that it is."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and process.poll() is None:
            with contextlib.suppress(OSError):
                with urllib.request.urlopen('http://127.0.0.1:%d/readyz' % port) as answer:
                    if answer.status == 200:
                        return
            time.sleep(0.05)
        raise ValueError('a service does not get ready: ' + self.said())


def metric(port, name):
    """The sum of a metric over its labels."""
    with contextlib.suppress(OSError):
        with urllib.request.urlopen('http://127.0.0.1:%d/metrics' % port) as answer:
            return sum(float(line.rsplit(' ', 1)[1]) for line in answer.read().decode().splitlines()
                       if re.match(re.escape(name) + r'[{ ]', line))
    return 0.0
