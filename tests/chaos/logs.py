"""Logs of three hosts, each rotated in a way of its own: by rename, by copy and truncate, by a symlink that moves to a new file.

A Writer writes the queries of a workload as daemons do: lines of many queries mixed, in pieces, at a given pace.
"""
import collections
import json
import os
import random
import shutil
import time

from workload import HOSTS, Seen

WAYS = dict(zip(HOSTS, ('rename', 'copy', 'link')))
TRICKLE_S = 400  # at most so long trouble may go on
SOURCE = '  - {{ name: {host}, kind: daemon-log, cluster: c1, host: {host}, interval: 100ms, from_beginning: true, paths: ["{path}"] }}\n'


class Log:
    """The log of one host, at `path`; `positions` is the file in which its capture says where it is."""

    def __init__(self, host, folder, positions):
        self.way, self.path, self.positions = WAYS[host], folder / 'impalad.INFO', positions
        self.host, self.rotations, self.cuts = host, 0, 0
        folder.mkdir(parents=True)
        self.out = None
        self.open()

    def source(self):
        return SOURCE.format(host=self.host, path=self.path)

    def open(self):
        path = self.path
        if self.way == 'link':
            path = path.with_name(f'impalad.{self.host}.log.INFO.{self.rotations:06d}')
            link = path.with_name('new')
            link.symlink_to(path.name)
            link.rename(self.path)
        if self.out is not None:
            self.out.close()
        self.out = open(path, 'ab')

    def rotate(self):
        """Not yet, where the last cut was not seen: two cuts between two looks lose what stood between them, as the documents say."""
        if self.way == 'copy' and self.cuts > self.cuts_seen():
            return
        self.rotations += 1
        if self.way == 'copy':
            self.out.flush()
            shutil.copyfile(self.path, self.path.with_name(f'impalad.INFO.{self.rotations}'))
            os.truncate(self.path, 0)
            self.cuts += 1
            return
        if self.way == 'rename':
            for old in range(self.rotations - 1, 0, -1):
                self.path.with_name(f'impalad.INFO.{old}').rename(self.path.with_name(f'impalad.INFO.{old + 1}'))
            self.path.rename(self.path.with_name('impalad.INFO.1'))
        self.open()

    def known(self):
        """What capture knows of the file at `path`, or None."""
        try:
            inode = os.stat(self.path).st_ino
            files = json.loads(self.positions.read_text())['files']
        except (OSError, ValueError):
            return None
        return next((file for file in files if file['inode'] == inode and file['source'] == self.host), None)

    def cuts_seen(self):
        file = self.known()
        return -1 if file is None else file['truncations']


class Writer:
    """Writes all queries of a workload in `seconds`; `seen` is what was written of each."""

    def __init__(self, workload, logs, seconds):
        self.workload, self.logs, self.seconds = workload, {log.host: log for log in logs}, seconds
        self.random = random.Random(workload.seed)
        self.seen = {}
        self.lines = 0
        self.waiting = []  # (id, Seen, lines left) of queries that have begun
        self.rotate_at = {log.host: seconds / 20 for log in logs}

    def begin(self, number):
        host = self.random.choice(HOSTS)
        query = self.workload.id(number)
        self.seen[query] = Seen(number, host, 0, 0)
        self.waiting.append((query, host, collections.deque(self.workload.lines(number))))

    def note(self, query, kind, at_ms):
        """The first start and the last end are those that count."""
        if kind == 'START' and self.seen[query].start_ms == 0:
            self.seen[query] = self.seen[query]._replace(start_ms=at_ms)
        elif kind == 'FINISH':
            self.seen[query] = self.seen[query]._replace(end_ms=at_ms)

    def write_line(self, at_ms, stamp):
        """The next line of a query that waits; sometimes half of it first."""
        at = self.random.randrange(len(self.waiting))
        query, host, lines = self.waiting[at]
        kind, text = lines.popleft()
        self.note(query, kind, at_ms)
        data = f'[INFO] {stamp} QueryId: {query} {text}\n'.encode()
        out = self.logs[host].out
        if self.random.random() < 0.01:
            cut = self.random.randrange(len(data))
            out.write(data[:cut])
            out.flush()
            data = data[cut:]
        out.write(data)
        self.lines += 1
        if not lines:
            self.waiting[at] = self.waiting[-1]
            self.waiting.pop()

    def rotate_what_is_due(self, passed):
        for host, due in self.rotate_at.items():
            if passed > due:
                self.logs[host].rotate()
                self.rotate_at[host] = due + self.seconds / max(25, self.seconds / 5) * self.random.uniform(0.5, 1.5)

    def due(self, passed, goes_on):
        """How many queries should have begun: most at an even pace; while trouble goes on a few more now and then; the rest at once."""
        count = self.workload.count
        most = int(count * 0.9)
        if passed < self.seconds:
            return min(most, int(most * passed / self.seconds) + 1)
        if goes_on():
            return min(count - 1, most + int((count - most) * (passed - self.seconds) / TRICKLE_S))
        return count

    def write_all(self, should_stop, goes_on=lambda: False):
        start, begun = time.time(), 0
        while (begun < self.workload.count or self.waiting) and not should_stop():
            now = time.time()
            due = self.due(now - start, goes_on)
            for number in range(begun, due):
                self.begin(number)
            at_ms = int(now * 1000)
            stamp = time.strftime('%Y-%m-%d %H:%M:%S', time.gmtime(now)) + f',{at_ms % 1000:03d}'
            for _ in range((due - begun) * 5 + len(self.waiting) // 20 + 1):
                if self.waiting:
                    self.write_line(at_ms, stamp)
            begun = due
            for log in self.logs.values():
                log.out.flush()
            self.rotate_what_is_due(now - start)
            time.sleep(0.01)
        self.end()

    def end(self):
        """A last line of another kind ends the last record, whose text could go on."""
        for log in self.logs.values():
            log.out.write(b'[INFO] 2026-01-01 00:00:00,000 the end\n')
            log.out.flush()
