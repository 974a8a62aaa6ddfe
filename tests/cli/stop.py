"""A process with much to do is told to stop, again and again: it ends soon, with work left, and in the end all is as if nobody had stopped it.

  stop.py PROGRAM serve|normalize      in an empty folder; ends with a line that says what was seen
"""
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time

PROGRAM, WHAT = sys.argv[1:]
QUERIES = 20000
SOON_S = 60  # only what hangs is not over by then
HEAD = '[INFO] 2026-03-15 14:22:33,456 QueryId: %016x:%08x00000000 '


def run(*command):
    subprocess.run([PROGRAM, *command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def write_log():
    os.mkdir('logs')
    with open('logs/impalad.INFO', 'w') as log:
        for query in range(QUERIES):
            head = HEAD % (query * 7919, query)
            for line in (f'User: u{query % 50} Sql: insert into ads.t{query % 900} select a, {query} from ods.s{query % 700}', f'InputTables: [ods.s{query % 700}]',
                         f'OutputTables: [ads.t{query % 900}]', f'ScanNode: hdfs://ns/user/hive/warehouse/ods.db/s{query % 700}', 'Status: OK, Duration: 7ms'):
                log.write(head + line + '\n')
        log.write('[INFO] 2026-03-15 14:22:33,456 the end\n')
    with open('c.yaml', 'w') as out:
        out.write('http: {port: 0}\nlog: {level: warning}\nclusters: [{name: c, namespace: meta}]\n'
                  'sources: [{kind: daemon-log, name: d, cluster: c, paths: "logs/*", host: h, from_beginning: true}]\n')


def rows(path, query):
    if not os.path.exists(path):
        return [(0,)]
    db = sqlite3.connect(f'file:{path}?mode=ro', uri=True, timeout=20)
    try:
        return db.execute(query).fetchall()
    except sqlite3.OperationalError:  # its tables are not there yet
        return [(0,)]
    finally:
        db.close()


def stop_within(command, has_begun, status):
    """Stops it as soon as it has done something; how long it took to end."""
    with subprocess.Popen([PROGRAM, *command], stderr=subprocess.DEVNULL) as process:
        until = time.time() + 60
        while not has_begun() and time.time() < until and process.poll() is None:
            time.sleep(0.02)
        asked = time.time()
        process.send_signal(signal.SIGTERM)
        try:
            ended = process.wait(SOON_S)
        except subprocess.TimeoutExpired:
            process.kill()
            raise SystemExit(f'it did not end within {SOON_S} s')
    if ended != status:
        raise SystemExit(f'it ended with {ended}, not {status}')
    return time.time() - asked


def stop_serve():
    """While records are left unread and events not loaded."""
    took, left = [], 0
    for _ in range(4):
        before, = rows('data/colline.db', 'select count(*) from execution')[0]
        took.append(stop_within(['serve', '--data', 'data', '-c', 'c.yaml'],
                                lambda: rows('data/colline.db', 'select count(*) from execution')[0][0] > before, 0))
        left += rows('data/colline.db', 'select count(*) from execution')[0][0] < QUERIES
    run('serve', '--data', 'data', '-c', 'c.yaml', '--once')
    run('serve', '--data', 'plain', '-c', 'c.yaml', '--once')
    for folder in ('data', 'plain'):
        with open(folder + '.dump', 'wb') as dump:
            subprocess.run([PROGRAM, 'store', 'dump', '--canonical', '--store', folder + '/colline.db'], check=True, stdout=dump)
    with open('data.dump', 'rb') as stopped, open('plain.dump', 'rb') as plain:
        same = stopped.read() == plain.read()
    count, = rows('data/colline.db', 'select count(*) from execution')[0]
    return took, left, same and count == QUERIES


def events(path):
    """Without the moments at which they were made."""
    with open(path) as lines:
        return sorted(json.dumps({**json.loads(line), 'processing_time': 0}, sort_keys=True) for line in lines)


def count_lines(path):
    if not os.path.exists(path):
        return 0
    with open(path, 'rb') as lines:
        return sum(1 for _ in lines)


def stop_normalize():
    run('capture', '-c', 'c.yaml', '--once', '--to', 'raw.jsonl')
    took, left = [], 0
    for _ in range(3):
        before = count_lines('events.jsonl')
        took.append(stop_within(['normalize', '-c', 'c.yaml', '--from', 'raw.jsonl', '--to', 'events.jsonl', '--state', 'state.db'],
                                lambda: count_lines('events.jsonl') > before, 3))
        left += count_lines('events.jsonl') < QUERIES
    run('normalize', '-c', 'c.yaml', '--from', 'raw.jsonl', '--to', 'events.jsonl', '--state', 'state.db')
    run('normalize', '-c', 'c.yaml', '--from', 'raw.jsonl', '--to', 'plain.jsonl', '--state', 'plain.db')
    return took, left, len(events('events.jsonl')) == QUERIES and events('events.jsonl') == events('plain.jsonl')


write_log()
seconds, with_work_left, right = {'serve': stop_serve, 'normalize': stop_normalize}[WHAT]()
print(f'{WHAT}: stopped {len(seconds)} times, {with_work_left} of these with work left, within {max(seconds):.2f} s; {"right" if right else "WRONG"}')
sys.exit(not right or with_work_left < 2)
