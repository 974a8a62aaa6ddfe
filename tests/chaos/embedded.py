"""The same without Kafka: one process over a folder that writes a file or fills the store, or capture into a file and from there into another; killed
again and again."""
import collections
import contextlib
import sqlite3
import time

from judge import Judge, settle
from logs import Log, Writer
from services import Service, Supervisor, end_all, settings
from workload import HOSTS, Workload

SETTLE_S = 600


class Embedded:
    """What both have in common: logs, a configuration, how it ends. `seconds` is shorter than with Kafka."""

    def __init__(self, options, work):
        self.options, self.work, self.colline = options, work, options.build / 'colline'
        self.workload = Workload(options.seed, options.queries)
        self.seconds = options.seconds * 0.3
        self.window = options.window
        self.services = []
        self.logs = [Log(host, work / 'logs' / host, work / 'data/positions.json') for host in HOSTS]
        self.config = work / 'colline.yaml'
        self.config.write_text(settings(work, 'data', [log.source() for log in self.logs], self.window))

    def judge(self, seen):
        judge = Judge(self.workload, seen)
        for value in self.events():
            judge.take(value)
        return judge.verdict()

    def run(self):
        self.start()
        while not all(log.known() for log in self.logs):
            time.sleep(0.05)
        writer = Writer(self.workload, self.logs, self.seconds)
        began = time.time()
        supervisor = Supervisor(self.services, self.options.seed, self.options.kills, self.seconds)
        try:
            writer.write_all(lambda: supervisor.failure)
            supervisor.finish_kills()
            written = time.time() - began
            settle(lambda: self.judge(writer.seen), SETTLE_S, self.window)
        finally:
            supervisor.end()
        settled = time.time() - began - written
        wrong = [f'{service.name} ended with {status}' for service in self.services if (status := service.stop()) not in service.good_ends]
        figures, differences = self.judge(writer.seen)
        invalid = self.invalid()
        wrong += differences + [f'invalid: {str(value)[:300]}' for value in invalid]
        wrong += [f'{service.name} ended by itself with {status}' for service in self.services for status in service.ends
                  if status != self.usual_end]
        return {'queries': len(writer.seen), 'lines': writer.lines, **figures, 'invalid': len(invalid),
                **{f'{service.name}_kills': service.kills for service in self.services},
                'rotations': sum(log.rotations for log in self.logs), 'seconds_written': round(written, 1),
                'seconds_until_settled': round(settled, 1)}, wrong

    def close(self):
        end_all(self.services)


class EmbeddedChaos(Embedded):
    """`colline serve --to FILE`: states in SQLite, events in a file."""
    usual_end = None  # it never ends by itself

    def start(self):
        self.serve('--to', self.work / 'events.jsonl')

    def serve(self, *more):
        self.services.append(Service('serve', [self.colline, 'serve', '--data', self.work / 'data', '-c', self.config, *more], self.work))

    def rows(self, file, query):
        path = self.work / 'data' / file
        if path.exists():
            with contextlib.closing(sqlite3.connect(f'file:{path}?mode=ro', uri=True, timeout=20)) as db:
                yield from db.execute(query)

    def events(self):
        return whole_lines(self.work / 'events.jsonl')

    def invalid(self):
        return [value for value, in self.rows('state.db', 'select value from invalid')]


class StoreChaos(EmbeddedChaos):
    """`colline serve`: the events are loaded into the store, where each query is one row, in its newest revision. A quarter of the queries: writing
    the rows takes the most of it."""

    def __init__(self, options, work):
        super().__init__(options, work)
        self.workload = Workload(options.seed, options.queries // 4)

    def start(self):
        self.serve()

    def judge(self, seen):
        due = {query: what for query, what in seen.items() if not self.workload.never_ends(what.number)}
        rows = collections.defaultdict(list)
        for query, *row in self.rows('colline.db', 'select query_id, status, started, ended, duration from execution'):
            rows[query].append(tuple(row))
        wrong = {}
        for query in due.keys() & rows.keys():
            expected = self.workload.expected(query, due[query])
            row = (expected['status'], expected['timestamp'], expected['event_time'], expected['duration_ms'])
            if rows[query][-1] != row:
                wrong[query] = f'is {rows[query][-1]}, not {row}'
        doubled = [query for query, found in rows.items() if len(found) > 1]
        texts = [f'{query}: is missing' for query in due.keys() - rows.keys()] + [f'{query}: is there more than once' for query in doubled]
        texts += [f'{query}: has no end, but a row' for query in rows.keys() - due.keys()] + [f'{query}: {what}' for query, what in wrong.items()]
        return {'rows': sum(map(len, rows.values())), 'missing': len(due.keys() - rows.keys()), 'doubled': len(doubled),
                'unasked': len(rows.keys() - due.keys()), 'wrong': len(wrong)}, texts


def whole_lines(path):
    """The last line of a file may be half written by a process that was killed."""
    if path.exists():
        with open(path, 'rb') as lines:
            yield from (line for line in lines if line.endswith(b'\n'))


class FileChaos(Embedded):
    """`colline capture --to FILE` appends records; `colline normalize --from FILE --state` reads them all, over and over."""
    usual_end = 0

    def start(self):
        raw = self.work / 'raw.jsonl'
        raw.touch()
        self.services.append(Service('capture', [self.colline, 'capture', '-c', self.config, '--to', raw], self.work))
        self.services.append(Service('normalize', [self.colline, 'normalize', '-c', self.config, '--from', raw, '--to', self.work / 'events.jsonl',
                                                   '--invalid', self.work / 'invalid.jsonl', '--state', self.work / 'state.db'], self.work, repeats=True))

    def events(self):
        return whole_lines(self.work / 'events.jsonl')

    def invalid(self):
        return list(whole_lines(self.work / 'invalid.jsonl'))
