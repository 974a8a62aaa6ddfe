"""Writes daemon logs while `colline serve` runs, kills it with SIGKILL at random, and looks at the events in the end.

  serve.py PROGRAM [QUERIES] [KILLS] [SEED]      in an empty folder; ends with a line that says what came

Every revision must be there exactly once, and the last one of each query must be what its records say.
"""
import collections
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'support'))

from state_events import state_events  # noqa: E402

PROGRAM, QUERIES, KILLS, SEED = sys.argv[1], *(int(a) for a in (sys.argv[2:] + ['1000', '6', '1'][len(sys.argv) - 2:]))
random.seed(SEED)
INTO_FILE = SEED % 2 == 0


def configure():
    with open('c.yaml', 'w') as out:
        out.write('data_dir: data\nhttp: {port: 0}\nlog: {level: error, file: log}\nclusters: [{name: c, namespace: meta}]\n'
                  'normalize: {revision_window: 1s}\n'
                  'sources: [{kind: daemon-log, name: d, cluster: c, paths: "logs/*", host: h, interval: 100ms, from_beginning: true}]\n')


def lines_of(query):
    head = '[INFO] 2026-03-15 14:22:33,456 QueryId: %016x:%08x00000000 ' % (query * 7919, query)
    lines = [f'User: u{query} Sql: insert into ads.t{query}\nselect a\nfrom tmp{query}', f'InputTables: [ods.s{query}]',
             f'OutputTables: [ads.t{query}]', f'ScanNode: hdfs://ns/user/hive/warehouse/ods.db/s{query}/ds=1', 'Status: OK, Duration: 7ms']
    if query % 5 == 0:  # the end comes first: a revision
        lines = lines[-1:] + lines[:-1]
    return [head + line + '\n' for line in lines]


def start():
    command = [PROGRAM, 'serve', '--data', 'data', '-c', 'c.yaml'] + (['--to', 'events.jsonl'] if INTO_FILE else [])
    return subprocess.Popen(command)


def write(kills):
    """All lines, those of different queries mixed; returns the process that runs at the end."""
    process = start()
    open_queries, next_query = [], 0
    out = open('logs/impalad.INFO', 'ab', buffering=0)
    while open_queries or next_query < QUERIES:
        while len(open_queries) < 8 and next_query < QUERIES:
            open_queries.append(lines_of(next_query))
            next_query += 1
        lines = random.choice(open_queries)
        line = lines.pop(0).encode()
        cut = random.randrange(len(line))
        out.write(line[:cut])
        out.write(line[cut:])
        if not lines:
            open_queries.remove(lines)
        if random.random() < kills / (QUERIES * 5):
            time.sleep(random.random() * 0.1)
            process.kill()
            process.wait()
            process = start()
        if random.random() < 0.01:
            time.sleep(0.01)
    out.write(b'[INFO] 2026-03-15 14:22:33,456 the end\n')
    return process


def events():
    if INTO_FILE:
        with open('events.jsonl', 'rb') as lines:
            text = lines.read()
        return [json.loads(line) for line in text.split(b'\n')[:-1]]
    return [json.loads(line) for line in state_events('data/state.db')]


def wrong(event):
    query = int(event['query_id'][17:25], 16)
    return (event['status'], event.get('user'), event['input_tables'], event['output_tables'], 'lineage' in event) != (
        'OK', f'u{query}', sorted([f'default.tmp{query}', f'ods.s{query}']), [f'ads.t{query}'], True)


def settle():
    """Waits until windows are over and everything is there."""
    for _ in range(300):
        time.sleep(0.1)
        if not os.path.exists('events.jsonl' if INTO_FILE else 'data/state.db'):
            continue
        last = {e['query_id']: e for e in events()}
        if len(last) == QUERIES and not any(wrong(e) for e in last.values()):
            return


os.mkdir('logs')
configure()
process = write(KILLS)
settle()
process.send_signal(signal.SIGTERM)
status = process.wait()
found = events()
seen = collections.Counter((e['query_id'], e['revision']) for e in found)
last = {}
for event in found:
    last[event['query_id']] = event
twice = [k for k, n in seen.items() if n > 1]
bad = [e for e in last.values() if wrong(e)]
gaps = [e for e in last.values() if sum(1 for k in seen if k[0] == e['query_id']) != e['revision']]
print(f'{len(last)} queries, {len(found)} events, {len(twice)} twice, {len(bad)} wrong, {len(gaps)} with gaps, status {status}')
for e in bad[:3]:
    print(json.dumps(e))
sys.exit(status != 0 or len(last) != QUERIES or bool(twice or bad or gaps))
