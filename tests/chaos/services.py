"""Processes under test and who supervises them: started again when they end, killed and frozen at moments that follow from a seed."""
import collections
import os
import random
import signal
import subprocess
import threading
import time

RESTART_S = 0.5
STOP_S = 60


class Service:
    """One process of ours, its output in WORK/NAME.log, started again when it ended. `repeats`: it ends by itself, and begins anew at once.
    `held`: it is not to be started or killed by anybody but the holder."""

    def __init__(self, name, command, work, environment=None, repeats=False):
        self.name, self.command, self.path = name, [str(part) for part in command], work / (name + '.log')
        self.log = open(self.path, 'ab')
        self.repeats = repeats
        self.good_ends = (0, 3) if repeats else (0,)  # 3: stopped before the end of its input
        self.environment = dict(os.environ, **(environment or {}))
        self.held = threading.Lock()
        self.kills, self.ends = 0, collections.Counter()  # ends by status, not those by a kill
        self.process, self.start_at = None, None
        self.start()

    def start(self):
        self.start_at = None
        self.process = subprocess.Popen(self.command, stdout=self.log, stderr=self.log, env=self.environment)

    def signal(self, number):
        self.process.send_signal(number)

    def runs(self):
        return self.process.poll() is None

    def log_size(self):
        return self.path.stat().st_size

    def said(self, since):
        """What it has logged behind that size."""
        with open(self.path, 'rb') as log:
            log.seek(since)
            return log.read()

    def kill(self, away_s):
        """SIGKILL; it is started again after `away_s`."""
        self.process.kill()
        self.process.wait()
        self.kills += 1
        self.start_at = time.time() + away_s

    def mind(self):
        """Starts it when it ended and its time has come."""
        if self.runs():
            return
        if self.start_at is None:
            self.ends[self.process.returncode] += 1
            self.start_at = time.time() + (0 if self.repeats else RESTART_S)
        elif time.time() >= self.start_at:
            self.start()

    def stop_for_a_while(self):
        """SIGTERM; whoever holds it lets it go when it may start again."""
        status = self.stop()
        self.start_at = time.time()
        return status

    def stop(self):
        """SIGTERM; the status with which it ends, None when it does not."""
        if self.runs():
            self.signal(signal.SIGTERM)
        try:
            return self.process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None


class Supervisor:
    """Minds the services in a thread of its own, and kills each `kills` times within `seconds`; `kill` does it, Service.kill by default."""

    def __init__(self, services, seed, kills, seconds, kill=None):
        chance = random.Random(seed)
        self.services = services
        self.kill = kill or (lambda service, away: service.kill(away))
        self.due = sorted((chance.uniform(0.03, 0.97) * seconds, i, self.away(chance)) for i in range(len(services)) for _ in range(kills))
        self.start = time.time()
        self.ended, self.failure = threading.Event(), None
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    @staticmethod
    def away(chance):
        """Mostly back at once; sometimes so late that others must take over."""
        return chance.uniform(6.5, 9) if chance.random() < 0.2 else chance.uniform(0, 1)

    def run(self):
        try:
            while not self.ended.wait(0.02):
                self.kill_what_is_due()
                for service in self.services:
                    if service.held.acquire(blocking=False):
                        service.mind()
                        service.held.release()
        except Exception as error:  # pylint: disable=broad-except
            self.failure = error

    def kill_what_is_due(self):
        """The first that is due and can be killed; one that is held or does not run has its turn later."""
        for at, (due, i, away) in enumerate(self.due):
            service = self.services[i]
            if due > time.time() - self.start:
                return
            if service.held.acquire(blocking=False):
                try:
                    if service.runs():
                        self.due.pop(at)
                        self.kill(service, away)
                        return
                finally:
                    service.held.release()

    def finish_kills(self):
        """Waits until every kill has been done and all services run again."""
        while (self.due or not all(service.runs() for service in self.services)) and self.failure is None:
            time.sleep(0.1)

    def end(self):
        self.ended.set()
        self.thread.join()
        if self.failure is not None:
            raise self.failure


def end_all(services):
    """In any case nothing is left running."""
    for service in services:
        if service.runs():
            service.process.kill()
            service.process.wait()
        service.log.close()


def settings(work, data, sources, window_s, more=''):
    """The text of a configuration. What comes more than `window_s` after the end of a query revises its event no more: longer than any outage."""
    return (f'data_dir: {work / data}\nlog: {{ level: info }}\nhttp: {{ port: 0 }}\nclusters:\n  - {{ name: c1, namespace: ns1, time_zone: UTC }}\n'
            f'normalize: {{ revision_window: {window_s}s }}\nsources:\n{"".join(sources) or "  []"}\n{more}')
