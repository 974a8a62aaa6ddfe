#!/usr/bin/env python3
"""stop.py BUILD KAFKA DIR PORT: the services over a real broker are told to stop. KAFKA is the script that pauses and kills the broker of DIR.

In the midst of a backlog each ends soon, with work left; in the end every query is in the store, once. While the broker hangs or is away each ends too, before
whoever supervises it loses patience, and nothing is lost.
"""
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'chaos'))
import wire  # pylint: disable=wrong-import-position

BUILD, KAFKA, DIR = map(os.path.abspath, sys.argv[1:4])
PORT = sys.argv[4]
PROGRAM = os.path.join(BUILD, 'colline')
QUERIES, MORE, PARTITIONS = 12000, 500, 4
SOON_S, PATIENCE_S = 40, 30  # with a broker that answers, on a machine that is busy; TimeoutStopSec of the units
WAIT_S = 180
HEAD = '[INFO] 2026-03-15 14:22:33,456 QueryId: %016x:%08x00000000 '
CONFIG = '''data_dir: data
http: {port: 0}
log: {level: info}
clusters: [{name: c, namespace: meta}]
sources: [{kind: daemon-log, name: d, cluster: c, paths: "logs/*", host: h, interval: 100ms, from_beginning: true}]
normalize: {revision_window: 1s}
kafka:
  brokers: ["127.0.0.1:%s"]
  partitions: %d
  group: stop-normalize
  topic_raw: stop-raw
  topic_normalized: stop-normalized
  topic_invalid: stop-invalid
  topic_open: stop-open
  topic_catalog: stop-catalog
store: {group: stop-load}
'''
wrong, started = [], []


class NotComing(Exception):
    """What was waited for too long."""


def write(first, count):
    with open('logs/impalad.INFO', 'a') as log:
        for query in range(first, first + count):
            head = HEAD % (query * 7919, query)
            for line in (f'User: u{query % 50} Sql: insert into ads.t{query % 900} select a, {query} from ods.s{query % 700}', f'InputTables: [ods.s{query % 700}]',
                         f'OutputTables: [ads.t{query % 900}]', f'ScanNode: hdfs://ns/user/hive/warehouse/ods.db/s{query % 700}', 'Status: OK, Duration: 7ms'):
                log.write(head + line + '\n')
        log.write('[INFO] 2026-03-15 14:22:33,456 the end\n')


def start(name, *command):
    with open(name + '.log', 'ab') as log:
        started.append(subprocess.Popen([PROGRAM, *command, '-c', 'c.yaml'], stdout=log, stderr=log))
    return started[-1]


def stop(name, process, within_s):
    """How long it took."""
    process.send_signal(signal.SIGTERM)
    return wait_for_end(name, process, within_s)


def wait_for_end(name, process, within_s):
    asked = time.time()
    try:
        status = process.wait(within_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        status = f'nothing within {within_s} s'
    if status != 0:
        wrong.append(f'{name} ended with {status}')
    return time.time() - asked


def wait_for(what, is_so):
    until = time.time() + WAIT_S
    while not is_so():
        if time.time() > until:
            raise NotComing(f'{what}: it does not come; raw {count_topic("stop-raw")}, normalised {count_topic("stop-normalized")}, rows {count_rows()}')
        time.sleep(0.05)


def count_topic(topic):
    dump = subprocess.run([os.path.join(BUILD, 'tests/topic_dump'), PORT, topic], check=True, capture_output=True)
    return len({line.split(b'\t', 3)[2] for line in dump.stdout.splitlines()})


def count_rows():
    if not os.path.exists('colline.db'):
        return 0
    db = sqlite3.connect('file:colline.db?mode=ro', uri=True, timeout=20)
    try:
        return db.execute('select count(*) from execution').fetchone()[0]
    except sqlite3.OperationalError:  # its tables are not there yet
        return 0
    finally:
        db.close()


STAGES = {'capture': (('capture',), 'stop-raw'), 'normalize': (('normalize',), 'stop-normalized'), 'load': (('load', '--store', 'colline.db'), None)}


def done_by(stage):
    topic = STAGES[stage][1]
    return count_rows() if topic is None else count_topic(topic)


def stop_in_a_backlog(stage):
    """(seconds that it took, how often work was left)"""
    took, left = [], 0
    for _ in range(3):
        before, process = done_by(stage), start(stage, *STAGES[stage][0])
        wait_for(f'{stage}: the first work', lambda: done_by(stage) > before or before == QUERIES)
        took.append(stop(stage, process, SOON_S))
        left += done_by(stage) < QUERIES
    process = start(stage, *STAGES[stage][0])
    wait_for(f'{stage}: all work', lambda: done_by(stage) == QUERIES)
    stop(stage, process, SOON_S)
    return max(took), left


def end_hanging():
    """A broker that was asleep may lose sight of a transaction when it wakes: an administrator ends it."""
    try:
        ended = wire.end_hanging(int(PORT), ('stop-open', 'stop-normalized'), PARTITIONS)
    except wire.WireError:
        return False
    if ended > 0:
        print(f'{ended} hanging transactions were ended')
    return False


def stop_without_a_broker(trouble, repair, first):
    """All of them, with work in hand; the seconds that each took, or fewer, for they are looked at in turn."""
    processes = {stage: start(stage, *command) for stage, (command, _) in STAGES.items()}
    write(first, MORE)
    wait_for('a store that is up to date', lambda: count_rows() == first + MORE)
    subprocess.run([KAFKA, trouble, DIR], check=True)
    write(first + MORE, MORE)
    time.sleep(1)
    for process in processes.values():
        process.send_signal(signal.SIGTERM)
    took = {stage: wait_for_end(stage, process, PATIENCE_S) for stage, process in processes.items()}
    subprocess.run([KAFKA, repair, DIR], check=True)
    processes = {stage: start(stage, *command) for stage, (command, _) in STAGES.items()}
    wait_for('what was in hand', lambda: count_rows() == first + 2 * MORE or end_hanging())
    for stage, process in processes.items():
        stop(stage, process, SOON_S)
    return took


def stop_all():
    write(0, QUERIES)
    for stage in STAGES:
        took, left = stop_in_a_backlog(stage)
        print(f'{stage}: with much to do it ends within {took:.2f} s, {left} times with work left', flush=True)
        if stage == 'load' and left == 0:  # the others may be done before they are seen to have begun
            wrong.append(f'{stage} does all that is there before it stops')
    first = QUERIES
    for trouble, repair in (('pause', 'resume'), ('kill', 'start')):
        took = stop_without_a_broker(trouble, repair, first)
        print(f'{trouble}: ' + ', '.join(f'{stage} ends after {seconds:.1f} s' for stage, seconds in took.items()), flush=True)
        first += 2 * MORE
    invalid = count_topic('stop-invalid')
    if invalid != 0:
        wrong.append(f'{invalid} are invalid')


def end_all():
    """In any case nothing is left running."""
    for process in started:
        if process.poll() is None:
            process.kill()
            process.wait()


def main():
    with tempfile.TemporaryDirectory(prefix='colline-stop-') as work:
        os.chdir(work)
        os.mkdir('logs')
        pathlib.Path('c.yaml').write_text(CONFIG % (PORT, PARTITIONS))
        subprocess.run([PROGRAM, 'topics', 'create', '-c', 'c.yaml'], check=True, stdout=subprocess.DEVNULL)
        try:
            stop_all()
        except NotComing as reason:
            wrong.append(str(reason))
        for line in wrong:
            print(line)
        if wrong:
            for stage in STAGES:
                print(f'--- {stage}\n' + pathlib.Path(stage + '.log').read_text()[-6000:])
        end_all()
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
