"""The queries of the chaos tests: what daemons log of each, and the event that must come of it. Both follow from seed and number alone, but
for the times, which are those of writing.

A query is an instance of a form: its statement, tables, scans and what is known of its columns. Forms differ in what the normaliser has to do;
the expected lineage is written down here, not asked of the program.
"""
import collections
import dataclasses
import hashlib
import random

HOSTS = ('h1', 'h2', 'h3')
WAREHOUSE = 'hdfs://ns1/user/hive/warehouse/ods.db'
KINDS = ('START', 'INPUT', 'OUTPUT', 'SCAN', 'FINISH')


@dataclasses.dataclass
class Form:
    """A statement and its lineage. `columns`: target → (transform, sources); `predicates`: (clause, sources)."""
    operation: str
    sql: str = ''
    inputs: tuple = ()
    logged_inputs: tuple = ()  # as the log has them, names of CTEs too
    outputs: tuple = ()
    scans: tuple = ()  # (table, partition)
    partitions: tuple = ()  # of tables that are written
    columns: dict = dataclasses.field(default_factory=dict)
    predicates: tuple = ()
    names: str = ''  # what its fingerprint follows from


def filtered_insert(n, t, s, d):
    return Form('INSERT', f'INSERT INTO app.t{t} SELECT a, b FROM ods.s{s} WHERE x = {n}', inputs=(f'ods.s{s}',), outputs=(f'app.t{t}',),
                scans=((f's{s}', ''),), names=f'{t} {s}', columns={f'app.t{t}.a': ('identity', (f'ods.s{s}.a',)),
                                                                f'app.t{t}.b': ('identity', (f'ods.s{s}.b',))},
                predicates=(('filter', (f'ods.s{s}.x',)),))


def overwritten_partition(n, t, s, d):
    day = f'2026-03-{n % 28 + 1:02d}'
    sql = (f"INSERT OVERWRITE TABLE app.p{t} PARTITION (ds='{day}')\nSELECT a.k, sum(b.v) AS total  -- of all\n"
           f'FROM ods.s{s} a\n  JOIN ods.d{d} b ON a.k = b.k\nWHERE a.x = {n} GROUP BY a.k')
    return Form('OVERWRITE', sql, inputs=(f'ods.d{d}', f'ods.s{s}'), outputs=(f'app.p{t}',), scans=((f's{s}', f'ds={day}'), (f'd{d}', '')),
                partitions=((f'app.p{t}', f'ds={day}'),), names=f'{t} {s} {d}',
                columns={f'app.p{t}.k': ('identity', (f'ods.s{s}.k',)), f'app.p{t}.total': ('aggregation', (f'ods.d{d}.v',)),
                         f'app.p{t}.ds': ('constant', ())},
                predicates=(('join', (f'ods.d{d}.k', f'ods.s{s}.k')), ('filter', (f'ods.s{s}.x',)), ('group_by', (f'ods.s{s}.k',))))


def select(n, t, s, d):
    return Form('SELECT', f'select s.k, s.v + {n} as v from ods.s{s} s where s.day in ({n}, 7, {n % 5})', inputs=(f'ods.s{s}',),
                scans=((f's{s}', ''),), names=f'{s}', columns={'k': ('identity', (f'ods.s{s}.k',)), 'v': ('transformation', (f'ods.s{s}.v',))},
                predicates=(('filter', (f'ods.s{s}.day',)),))


def with_query(n, t, s, d):
    sql = f'with w as (select k, v from ods.s{s} where v > {n})\ninsert into app.w{t} select k, max(v) as top from w group by k'
    return Form('INSERT', sql, inputs=(f'ods.s{s}',), logged_inputs=('w', f'ods.s{s}'), outputs=(f'app.w{t}',), scans=((f's{s}', ''),),
                names=f'{t} {s}', columns={f'app.w{t}.k': ('identity', (f'ods.s{s}.k',)), f'app.w{t}.top': ('aggregation', (f'ods.s{s}.v',))},
                predicates=(('filter', (f'ods.s{s}.v',)), ('group_by', (f'ods.s{s}.k',))))


def beyond_ascii(n, t, s, d):
    return Form('INSERT', f"insert into app.u{t}\nselect k, '渠道 “{n}” [INFO]\t%' as c /* 注释 */ from ods.s{s}", inputs=(f'ods.s{s}',),
                outputs=(f'app.u{t}',), scans=((f's{s}', ''),), names=f'{t} {s}',
                columns={f'app.u{t}.k': ('identity', (f'ods.s{s}.k',)), f'app.u{t}.c': ('constant', ())})


def created_table(n, t, s, d):
    return Form('CTAS', f'create table app.c{n} as select k, v * 2 as twice from ods.s{s}', inputs=(f'ods.s{s}',), outputs=(f'app.c{n}',),
                scans=((f's{s}', ''),), names=f'{n} {s}', columns={f'app.c{n}.k': ('identity', (f'ods.s{s}.k',)),
                                                                f'app.c{n}.twice': ('transformation', (f'ods.s{s}.v',))})


def without_text(n, t, s, d):
    return Form('WRITE', inputs=(f'ods.s{s}',), outputs=(f'app.t{t}',), scans=((f's{s}', ''),))


FORMS = (filtered_insert, overwritten_partition, select, filtered_insert, with_query, select, overwritten_partition, filtered_insert,
         beyond_ascii, with_query, filtered_insert, select, without_text)
FAILURES = (('ERROR', 'ERROR'), ('CANCELLED', 'CANCELLED'), ('EXCEPTION: memory limit exceeded', 'ERROR'))

Seen = collections.namedtuple('Seen', 'number host start_ms end_ms')  # what was written of a query


class Workload:
    """All queries of one run."""

    def __init__(self, seed, count):
        self.seed, self.count = seed, count

    def id(self, number):
        digits = hashlib.md5(f'{self.seed}:{number}'.encode()).hexdigest()
        return f'{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-8{digits[17:20]}-{digits[20:]}'

    def form(self, n):
        make = created_table if n % 97 == 5 else FORMS[n % len(FORMS)]
        return make(n, n % 41, n % 83, n % 67)

    def never_ends(self, n):
        return n % 211 == 9

    def failure(self, n):
        return FAILURES[n // 17 % 3] if n % 17 == 0 and n % 97 != 5 else ('OK', 'OK')

    def duration_ms(self, n):
        return n * 37 % 70000 + 1

    def duration_text(self, n):
        """As the daemons write it, in one of their ways."""
        ms = self.duration_ms(n)
        if ms >= 60000:
            return f'{ms // 60000}m{ms // 1000 % 60}s{ms % 1000}ms'
        return f'{ms // 1000}s{ms % 1000}ms' if ms >= 1000 else f'{ms}ms'

    def lines(self, n):
        """(kind, text behind the id), in the order in which they are written: some come late, some twice."""
        form = self.form(n)
        lines = [('START', f'User: u{n % 29}' + (f' Sql: {form.sql}' if form.sql else '')),
                 ('INPUT', f'InputTables: [{", ".join(form.logged_inputs or form.inputs)}]'),
                 ('OUTPUT', f'OutputTables: [{", ".join(form.outputs)}]')]
        lines += [('SCAN', f'ScanNode: {WAREHOUSE}/{table}{"/" + part if part else ""}') for table, part in form.scans]
        if not self.never_ends(n):
            lines.append(('FINISH', f'Status: {self.failure(n)[0]}, Duration: {self.duration_text(n)}'))
        chance = random.Random(n * 1000003 + self.seed)
        if n % 20 == 1:
            chance.shuffle(lines)
        elif n % 50 == 2:
            lines.append(chance.choice(lines[1:3]))
        return lines

    def expected(self, query_id, seen):
        """The members of its last event that follow from what was written."""
        n = seen.number
        form, (_, status) = self.form(n), self.failure(n)
        scans = [(f'ods.{table}', part) for table, part in form.scans]
        event = {'v': 1, 'query_id': query_id, 'generation': 0, 'cluster': 'c1', 'namespace': 'ns1', 'engine': 'impala', 'user': f'u{n % 29}',
                 'database': 'default', 'timestamp': seen.start_ms, 'event_time': seen.end_ms, 'duration_ms': self.duration_ms(n),
                 'status': status, 'operation_type': form.operation, 'input_tables': sorted(form.inputs), 'output_tables': sorted(form.outputs),
                 'paths': sorted(f'{WAREHOUSE}/{table}{"/" + part if part else ""}' for table, part in form.scans),
                 'sources': [{'source': 'daemon-log', 'host': seen.host, 'kinds': list(KINDS)}], 'is_valid': True}
        partitions = sorted([*form.partitions, *(scan for scan in scans if scan[1])])
        if partitions:
            event['partitions'] = [{'table': table, 'spec': spec} for table, spec in partitions]
        if form.sql:
            event['sql'] = form.sql
        else:
            event['problems'] = ['no-text']
        return event

    def expected_lineage(self, n):
        """None, or what the lineage must say, in the words of `facts`."""
        form = self.form(n)
        if not form.sql or self.failure(n)[1] != 'OK':
            return None
        return {'inputs': sorted(form.inputs), 'outputs': sorted(form.outputs), 'error': None,
                'columns': {target: (transform, sorted(sources)) for target, (transform, sources) in form.columns.items()},
                'predicates': sorted((clause, sorted(sources)) for clause, sources in form.predicates)}

    def shape(self, n):
        """Statements of one shape have one fingerprint, and others another."""
        return self.form(n).sql and (FORMS[n % len(FORMS)].__name__ if n % 97 != 5 else 'created') + ' ' + self.form(n).names


def facts(lineage):
    """What the expectation speaks of, taken from the lineage of an event."""
    return {'inputs': lineage['inputs'], 'outputs': [output['table'] for output in lineage['outputs']], 'error': lineage['error'],
            'columns': {column['target']: (column['transform'], column['sources']) for column in lineage['columns']},
            'predicates': sorted((predicate['clause'], predicate['sources']) for predicate in lineage['predicates'])}
