"""Writes logs of three hosts while `colline capture` runs, rotates them in three ways, kills capture with SIGKILL at random, and compares.

  rotate.py PROGRAM [QUERIES] [KILLS] [SEED]      in an empty folder; ends with a line that says what came

Each host's log is rotated in its own way: by rename (the daemon opens a new file), by copy and truncate, by a symlink that moves to a
new file, often twice and more between two looks of the reader. Lines are written in pieces, so half lines are seen. Every record must be in
the output exactly once.
"""
import collections
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

PROGRAM, QUERIES, KILLS, SEED = sys.argv[1], *(int(a) for a in (sys.argv[2:] + ['3000', '8', '1'][len(sys.argv) - 2:]))
HEAD = '[INFO] 2026-03-15 14:22:33,456 QueryId: %016x:%016x '
random.seed(SEED)


def configure():
    hosts = ''.join(f'  - {{kind: daemon-log, name: {h}, cluster: c, paths: "logs/{h}*/impalad.INFO", host: "{h}{{1}}", interval: 100ms, '
                    f'from_beginning: true, watch: {w}}}\n' for h, w in (('rename', 'auto'), ('copy', 'poll'), ('link', 'auto')))
    with open('c.yaml', 'w') as out:
        out.write('data_dir: data\nhttp: {port: 0}\nlog: {level: warning, file: log}\nclusters: [{name: c}]\nsources:\n' + hosts)


class Host:
    def __init__(self, way):
        self.way, self.number = way, 0
        self.folder = f'logs/{way}1'
        os.makedirs(self.folder)
        self.path = f'{self.folder}/impalad.INFO'
        self.out = None
        self.open()

    def open(self):
        self.number += 1
        path = self.path
        if self.way == 'link':
            path = f'{self.folder}/impalad.h.log.INFO.20260315-{self.number:06d}.1'
            os.symlink(os.path.basename(path), self.path + '.new')
            os.rename(self.path + '.new', self.path)
        if self.out:
            self.out.close()
        self.out = open(path, 'ab', buffering=0)

    def rotate(self):
        if self.way == 'copy':
            shutil.copyfile(self.path, f'{self.path}.{self.number}')
            os.truncate(self.path, 0)
            self.number += 1
        else:
            if self.way == 'rename':
                for old in range(self.number, 0, -1):
                    if os.path.exists(f'{self.path}.{old}'):
                        os.rename(f'{self.path}.{old}', f'{self.path}.{old + 1}')
                os.rename(self.path, self.path + '.1')
            self.open()

    def write(self, text):
        data = text.encode()
        cut = random.randrange(len(data))
        self.out.write(data[:cut])
        self.out.write(data[cut:])


def lines_of(host, query):
    head = HEAD % (query, host)
    yield head + f'User: u{query} Sql: insert into t{query}\n  select *\n  from s\n', ('START', query, host)
    yield head + f'InputTables: [s{query}, d.v]\n', ('INPUT', query, host)
    yield head + f'OutputTables: [t{query}]\n', ('OUTPUT', query, host)
    yield head + f'ScanNode: hdfs://ns/w/s{query}\n', ('SCAN', query, host)
    yield head + f'Status: OK, Duration: {query}ms\n', ('FINISH', query, host)


def capture(*more):
    return subprocess.Popen([PROGRAM, 'capture', '-c', 'c.yaml', '--to', 'out.jsonl', *more])


def got():
    found = collections.Counter()
    with open('out.jsonl') as lines:
        for line in lines:
            record = json.loads(line)
            query, host = record['query_id'].split(':')
            if record['kind'] == 'START':
                assert record['sql'] == f'insert into t{int(query, 16)}\n  select *\n  from s', record
            found[record['kind'], int(query, 16), int(host, 16)] += 1
    return found


def main():
    configure()
    hosts = [Host(way) for way in ('rename', 'copy', 'link')]
    process = capture()
    while not os.path.exists('data/positions.json') or open('data/positions.json').read().count('"source"') < len(hosts):
        time.sleep(0.05)  # what was rotated away before the first look is not to be found
    expected = collections.Counter()
    kills = set(random.sample(range(QUERIES // 20, QUERIES), KILLS))
    rotations = 0
    for query in range(QUERIES):
        host = random.randrange(len(hosts))
        for text, what in lines_of(host, query):
            hosts[host].write(text)
            expected[what] += 1
            if random.random() < 0.01:
                hosts[host].rotate()
                rotations += 1
        if query in kills and process is not None:
            process.send_signal(signal.SIGKILL)
            process.wait()
            if random.random() < 0.5:
                process = capture()
            else:
                process = None
        if process is None and random.random() < 0.02:
            process = capture()
        if query % 50 == 0:
            time.sleep(0.02)
    if process is not None:
        time.sleep(1)
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
    assert capture('--once').wait(60) == 0
    found = got()
    missing, surplus = expected - found, found - expected
    print(f'{sum(expected.values())} records, {rotations} rotations, {KILLS} kills: {sum(missing.values())} missing, {sum(surplus.values())} too many')
    for what in sorted(missing)[:5] + sorted(surplus)[:5]:
        print(' ', what, 'came', found[what], 'times')
    return 0 if not missing and not surplus else 1


sys.exit(main())
