#!/usr/bin/env python3
"""check_api.py PROGRAM CALLER SOURCE: the interface and docs/openapi.yaml agree, both ways.

A store is made of samples/warehouse and samples/logs. Then, without sockets (CALLER is tests/harness/api_call):
- every path of the description answers, every status that it answers with is described for it, and every answer is valid against its schema, where
  members that the schema does not name count as wrong; no member of a schema is left unseen over all answers;
- every parameter of the description is taken, and no other; wrong values are refused;
- the examples of the description are valid; lists come as CSV with as many lines as items.
Prints what differs, then `N passed, N failed`.
"""
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema
import yaml

NAMESPACE = 'hive://metastore.kestrel:9083'
# What the samples do not tell, or a request has and no answer.
UNSEEN = {'Dataset.owner', 'CountedDataset.owner', 'Home.user', 'Owners.items.owner', 'AnalyzeRequest.database', 'AnalyzeRequest.dialect', 'AnalyzeRequest.namespace', 'AnalyzeRequest.sql',
          'AnalyzeRequest.variables', 'ChangeList.total', 'CheckList.total', 'DeadColumnList.total', 'HeatList.total', 'HitList.total', 'QueryList.total'}
CHECKS = [
    {'v': 1, 'check': 'not_null', 'table': 'ods.ods_payment_di', 'column': 'discount', 'status': 'fail', 'time': 1719799999000, 'message': '3 行', 'source': 'nightly'},
    {'v': 1, 'check': 'rows', 'table': 'dws.dws_city_day', 'status': 'warn', 'time': 1719799999001},
    {'v': 1, 'check': 'rows', 'table': 'dim.dim_city', 'status': 'pass', 'time': 1719799999002},
]
SCRIPTS = '''insert overwrite table dws.of_day_20240101 select trips from dws.dws_city_day;
insert overwrite table dws.of_day_20240102 select trips from dws.dws_city_day;
insert overwrite table dws.of_day_20240103 select trips from dws.dws_city_day;
insert into table dws.opened select * from nowhere.known;
'''


class Report:
    def __init__(self):
        self.passed = self.failed = 0

    def expect(self, good, message):
        if good:
            self.passed += 1
        else:
            self.failed += 1
            print(message)


class Caller:
    def __init__(self, program, store, *token):
        self.process = subprocess.Popen([program, store, *token], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding='utf-8')

    def ask(self, path, arguments=(), method='GET', headers=(), body=''):
        pairs = [[k, v] for k, values in dict(arguments).items() for v in (values if isinstance(values, list) else [values])]
        call = {'method': method, 'path': '/api/v1' + path, 'arguments': pairs, 'headers': [list(h) for h in headers], 'body': body}
        self.process.stdin.write(json.dumps(call) + '\n')
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        return self.process.wait(timeout=30)


def event_of(number, sql, operation):
    return {'v': 1, 'query_id': f'ddl-{number}', 'revision': 1, 'generation': 0, 'namespace': NAMESPACE, 'engine': 'hive', 'user': 'lin', 'database': 'dim',
            'status': 'OK', 'operation_type': operation, 'input_tables': [], 'output_tables': ['dim.changing'], 'sql': sql,
            'event_time': 1719790000000 + number * 1000, 'processing_time': 1719799999000, 'sources': [{'source': 'hive-hook', 'host': 'h', 'kinds': ['QUERY']}], 'is_valid': True}


def make_store(program, source, folder):
    """A day of logs with the DDL and the scripts of the sample warehouse."""
    run = lambda *words, **more: subprocess.run([str(program), *words], check=True, capture_output=True, cwd=folder, **more)
    samples = source / 'samples'
    (folder / 'logs').symlink_to(samples / 'logs')
    run('catalog', 'build', '-o', 'warehouse.json', str(samples / 'warehouse' / 'ddl'))
    run('capture', '-c', 'logs/colline.yaml', '--once', '--from-beginning', '--to', 'raw.jsonl')
    run('normalize', '-c', 'logs/colline.yaml', '--from', 'raw.jsonl', '--to', 'events.jsonl')
    documents = run('lineage', '-c', 'warehouse.json', '--define', 'dt=2024-06-30', '--format', 'jsonl', str(samples / 'warehouse'))
    (folder / 'documents.jsonl').write_bytes(documents.stdout)
    run('load', '--store', 'store.db', '--from', 'events.jsonl')
    run('load', '--store', 'store.db', '--catalog', 'warehouse.json', '--namespace', NAMESPACE)
    run('load', '--store', 'store.db', '--documents', 'documents.jsonl', '--namespace', NAMESPACE)
    (folder / 'more.hql').write_text(SCRIPTS)
    documents = run('lineage', '-c', 'warehouse.json', '--format', 'jsonl', 'more.hql')
    (folder / 'documents.jsonl').write_bytes(documents.stdout)
    run('load', '--store', 'store.db', '--documents', 'documents.jsonl', '--namespace', NAMESPACE)
    open_star = json.loads(documents.stdout)['statements'][-1]
    ddl = ['create table dim.changing (a int, b int)', 'alter table dim.changing add columns (c string)', 'alter table dim.changing change b b bigint',
           'alter table dim.changing replace columns (b bigint, c string)']
    events = [event_of(i, sql, 'CREATE' if i == 0 else 'ALTER') for i, sql in enumerate(ddl)]
    renaming = subprocess.run([program, 'lineage', '--format', 'jsonl', '-'], input='alter table dim.changing rename to dim.changed;',
                              check=True, capture_output=True, text=True, cwd=folder)
    renaming = json.loads(renaming.stdout)['statements'][0]
    events.append({**event_of(20, 'alter table dim.changing rename to dim.changed', 'ALTER'), 'lineage': renaming, 'fingerprint': renaming['fingerprint'],
                   'input_tables': ['dim.changing'], 'output_tables': ['dim.changed']})
    events.append({**event_of(9, 'insert into table dws.opened select * from nowhere.known', 'INSERT'), 'lineage': open_star,
                   'fingerprint': open_star['fingerprint'], 'input_tables': ['nowhere.known'], 'output_tables': ['dws.opened']})
    (folder / 'ddl.jsonl').write_text(''.join(json.dumps(e) + '\n' for e in events))
    run('load', '--store', 'store.db', '--from', 'ddl.jsonl')
    (folder / 'checks.jsonl').write_text(''.join(json.dumps(c) + '\n' for c in CHECKS))
    run('load', '--store', 'store.db', '--namespace', NAMESPACE, '--from', 'checks.jsonl')
    return str(folder / 'store.db')


def strict(schema):
    """Members that are not named are wrong, unless the schema says that there may be others."""
    if isinstance(schema, dict):
        if 'properties' in schema:
            schema.setdefault('additionalProperties', False)
        for inner in schema.values():
            strict(inner)
    elif isinstance(schema, list):
        for inner in schema:
            strict(inner)


class Description:
    def __init__(self, text):
        self.tree = yaml.safe_load(text)
        strict(self.tree['components']['schemas'])
        for item in self.tree['paths'].values():
            strict(item)
        self.seen = set()

    def resolve(self, node):
        while '$ref' in node:
            target = self.tree
            for part in node['$ref'][2:].split('/'):
                target = target[part]
            node = target
        return node

    def methods(self, path):
        return [method.upper() for method in self.tree['paths'][path]]

    def operation(self, path, method):
        return self.tree['paths'][path][method.lower()]

    def parameters(self, path):
        """Of GET; POST has none."""
        return [self.resolve(p) for p in self.tree['paths'][path].get('get', {}).get('parameters', [])]

    def errors(self, schema, value):
        root = {'components': self.tree['components'], **schema}
        return ['/'.join(map(str, e.path)) + ': ' + e.message[:200] for e in jsonschema.Draft202012Validator(root).iter_errors(value)][:5]

    def note_members(self, name, schema, value):
        """Which members have come with something in them."""
        if '$ref' in schema:
            name = schema['$ref'].split('/')[-1]
            schema = self.resolve(schema)
        for choice in schema.get('oneOf', []):
            if not self.errors(choice, value):
                self.note_members(name, choice, value)
        if isinstance(value, dict):
            for key, inner in value.items():
                if inner is not None and inner != [] and key in schema.get('properties', {}):
                    self.seen.add(f'{name}.{key}')
                    self.note_members(f'{name}.{key}', schema['properties'][key], inner)
        elif isinstance(value, list) and 'items' in schema:
            for inner in value:
                self.note_members(name, schema['items'], inner)

    def all_members(self):
        def walk(name, schema):
            for key, inner in schema.get('properties', {}).items():
                yield f'{name}.{key}'
                yield from walk(f'{name}.{key}', inner)
            if isinstance(schema.get('items'), dict):
                yield from walk(name, schema['items'])
        for name, schema in self.tree['components']['schemas'].items():
            yield from walk(name, schema)


def check_answer(report, description, path, answer, what, method='GET'):
    operation = description.operation(path, method)
    response = operation['responses'].get(str(answer['status']))
    report.expect(response is not None, f'{what}: status {answer["status"]} is not described: {answer["body"][:200]}')
    if response is None:
        return None
    content = description.resolve(response).get('content', {})
    kind = answer['type'].split(';')[0]
    report.expect(kind in content, f'{what}: {kind} is not described')
    if not kind.endswith('json') or kind not in content:
        return None
    value = json.loads(answer['body'])
    for error in description.errors(content[kind]['schema'], value):
        report.expect(False, f'{what}: {error}')
    report.passed += 1
    description.note_members(path, content[kind]['schema'], value)
    return value


# Calls that together show every member of every answer.
CALLS = [
    ('/home', {}), ('/databases', {}), ('/databases', {'namespace': NAMESPACE, 'limit': '2'}),
    ('/search', {'q': 'city'}), ('/search', {'q': '城市'}), ('/search', {'q': 'city_code', 'type': 'column', 'limit': '3'}), ('/search', {'q': 'a'}),
    ('/search', {'q': 'CITY day', 'type': 'table', 'database': 'dws', 'namespace': NAMESPACE, 'offline': 'true'}),
    ('/table', {'name': 'dws.dws_city_day'}), ('/table', {'name': 'DIM.dim_city', 'namespace': NAMESPACE, 'count_to': '10000'}),
    ('/table', {'name': NAMESPACE + '#ads.ads_kpi_long'}),
    ('/columns', {'name': 'dws.dws_city_day'}), ('/columns', {'name': 'dwd.dwd_trip_detail_di', 'order': 'ordinal', 'q': 'id', 'offline': 'true'}),
    ('/graph', {'name': 'dws.dws_city_day'}), ('/graph', {'name': 'dws.dws_city_day', 'direction': 'up', 'limit': '1'}),
    ('/graph', {'name': 'dws.dws_city_day', 'direction': 'up', 'limit': '1', 'cursor': '1'}),
    ('/graph', {'name': 'ods.ods_payment_di', 'depth': '20', 'indirect': 'true', 'offline': 'true', 'temporary': 'true'}),
    ('/graph', {'name': 'ods.ods_payment_di', 'depth': '20'}), ('/graph', {'name': 'dws.dws_city_day', 'as_of': '2024-07-01'}),
    ('/column-graph', {'name': 'ads.ads_city_board_day', 'column': 'income', 'direction': 'up', 'depth': '20', 'expressions': 'true', 'indirect': 'true'}),
    ('/column-graph', {'name': 'ods.ods_payment_di', 'column': 'discount', 'direction': 'down', 'depth': '20', 'as_of': '2024-07-01'}),
    ('/column-edges', {'table': ['dws.dws_city_day', NAMESPACE + '#ads.ads_city_board_day']}),
    ('/statements', {'table': ['dws.dws_city_day', 'ads.ads_city_board_day', 'dwd.dwd_trip_detail_di']}),
    ('/statements', {'table': 'dws.dws_city_day'}), ('/statements', {'table': ['nowhere', 'dws.dws_city_day']}),
    ('/hop-counts', {'table': ['dws.dws_city_day', 'dim.dim_city']}), ('/hop-counts', {'table': 'nowhere'}),
    ('/owners', {'table': ['dws.dws_city_day', 'dws.dws_rider_tag']}), ('/owners', {'table': 'nowhere'}),
    ('/edge', {'source': 'dws.dws_city_day', 'target': 'ads.ads_city_board_day'}),
    ('/edge', {'source': 'dws.dws_city_day', 'target': 'ads.ads_city_board_day', 'source_column': 'income', 'target_column': 'income'}),
    ('/path', {'source': 'ods.ods_payment_di', 'target': 'ads.ads_city_board_day'}),
    ('/path', {'source': 'dwd.dwd_trip_detail_di', 'target': 'ads.ads_city_board_day', 'source_column': 'paid_amount', 'target_column': 'income'}),
    ('/path', {'source': 'ads.ads_city_board_day', 'target': 'ods.ods_payment_di', 'indirect': 'true', 'as_of': '2024-07-01'}),
    ('/impact', {'name': 'ods.ods_payment_di'}), ('/impact', {'name': 'ods.ods_payment_di', 'column': 'discount'}),
    ('/impact', {'name': 'dwd.dwd_trip_detail_di', 'layer': 'queries', 'limit': '1'}), ('/impact', {'name': 'ods.ods_payment_di', 'layer': 'indirect', 'limit': '1'}),
    ('/heat', {'limit': '3'}), ('/unread', {'limit': '3'}), ('/dead-columns', {'limit': '3'}), ('/dead-columns', {'name': 'dws.dws_city_day'}),
    ('/queries', {'limit': '3'}), ('/queries', {'name': 'dws.dws_city_day', 'role': 'write'}), ('/queries', {'user': 'etl', 'engine': 'hive', 'status': 'OK'}),
    ('/queries', {'from': '2024-06-30', 'to': '2024-06-30'}), ('/queries', {'status': 'ERROR'}),
    ('/history', {'name': 'dws.dws_city_day'}), ('/changes', {'limit': '1000'}), ('/changes', {'limit': '1'}), ('/columns', {'name': 'dws.dws_city_day', 'limit': '2'}),
    ('/edge', {'source': 'nowhere.known', 'target': 'dws.opened', 'limit': '1'}), ('/table', {'name': 'dws.opened'}), ('/dead-columns', {'limit': '1000'}),
    ('/edge', {'source': 'dwd.dwd_trip_detail_di', 'target': 'dws.dws_city_day', 'limit': '1'}), ('/table', {'name': 'dws.of_day_20240101'}),
    ('/graph', {'name': 'dws.opened'}), ('/column-edges', {'table': ['nowhere.known', 'dws.opened']}),
    ('/diff', {'name': 'dws.dws_city_day', 'from': '2024-06-29'}), ('/diff', {'name': 'dws.dws_city_day', 'from': '2024-06-29', 'to': '2024-07-01', 'depth': '3'}),
    ('/table', {'name': 'dim.changing'}), ('/table', {'name': 'dim.changed'}), ('/history', {'name': 'dim.changed'}),
    ('/checks', {}), ('/checks', {'name': 'ods.ods_payment_di'}), ('/checks', {'status': 'fail', 'database': 'ODS', 'namespace': NAMESPACE}), ('/checks', {'limit': '1'}),
    ('/checks', {'name': 'nowhere'}), ('/table', {'name': 'ods.ods_payment_di'}), ('/who-is-hit', {'name': 'ods.ods_payment_di', 'column': 'discount'}),
    ('/who-is-hit', {'name': 'ods.ods_payment_di'}), ('/who-is-hit', {'name': 'ods.ods_payment_di', 'limit': '1'}), ('/who-is-hit', {'name': 'nowhere'}),
    ('/health', {}),
    ('/table', {'name': 'dws.dws_city_dya'}), ('/table', {}), ('/query', {'id': 'none'}), ('/edge', {'source': 'dws.dws_city_day', 'target': 'ods.ods_payment_di'}),
]
SCRIPT = '''insert overwrite table dws.dws_city_day partition (dt = 1) select city_code, count(*), 1, 1, 1, 1, 1, 1 from dwd.dwd_trip_detail_di group by city_code;
insert overwrite table dim.dim_city select * from ods.ods_city_df; alter table ods.ods_payment_di change discount discount bigint;
alter table ods.ods_payment_di add columns (more string); drop table dim.dim_city; create table tmp.x as select * from dim.dim_rider_zip'''


def check_calls(report, description, caller):
    asked = set()
    for path, arguments in CALLS:
        asked.add(path)
        check_answer(report, description, path, caller.ask(path, arguments), f'{path} {arguments}')
    edges = json.loads(caller.ask('/graph', {'name': 'ods.ods_payment_di', 'depth': '20', 'temporary': 'true'})['body'])['edges']
    busiest = max(edges, key=lambda edge: edge['statement_count'])
    arguments = {'source': busiest['source'], 'target': busiest['target'], 'limit': '1'}
    check_answer(report, description, '/edge', caller.ask('/edge', arguments), f'/edge {arguments}')
    queries = json.loads(caller.ask('/queries', {'limit': '1000'})['body'])['items']
    for table in json.loads(caller.ask('/search', {'q': 'a', 'type': 'table', 'limit': '1000'})['body'])['items']:
        arguments = {'name': table['dataset']['id']}
        check_answer(report, description, '/table', caller.ask('/table', arguments), f'/table {arguments}')
        check_answer(report, description, '/history', caller.ask('/history', arguments), f'/history {arguments}')
    for query in queries:
        check_answer(report, description, '/query', caller.ask('/query', {'id': query['query_id']}), f'/query {query["query_id"]}')
    headers = [('Content-Type', 'application/json')]
    for body in ({'sql': SCRIPT}, {'sql': 'select 1', 'dialect': 'impala', 'database': 'dws', 'namespace': NAMESPACE, 'variables': {'a': 'b'}}, {}, {'sql': 1}, {'x': 1}):
        check_answer(report, description, '/analyze', caller.ask('/analyze', method='POST', headers=headers, body=json.dumps(body)), f'/analyze {body}', 'POST')
    check_answer(report, description, '/analyze', caller.ask('/analyze', method='POST', headers=headers, body='{'), '/analyze {', 'POST')
    check_answer(report, description, '/analyze', caller.ask('/analyze', method='POST', body='{}'), '/analyze without type', 'POST')
    report.expect(caller.ask('/openapi.yaml')['body'] == description.text, '/openapi.yaml is not docs/openapi.yaml')
    asked |= {'/query', '/analyze', '/openapi.yaml'}
    for path in description.tree['paths']:
        report.expect(path in asked, f'{path} is described, and no call of it stands here')
    report.expect(caller.ask('/nothing')['status'] == 404, '/nothing answers')


GOOD = {'name': 'dws.dws_city_day', 'source': 'dws.dws_city_day', 'target': 'ads.ads_city_board_day', 'column': 'income', 'q': 'city', 'from': '2024-06-29',
        'table': 'dws.dws_city_day', 'id': 'none'}


def values_of(schema):
    """Some that the schema takes, and some that it does not."""
    kind = schema.get('type')
    if 'enum' in schema:
        return schema['enum'], ['nonsense']
    if kind == 'integer':
        return [str(schema['minimum']), str(schema['maximum'])], ['-1', '1.5', 'x', str(schema['maximum'] + 1), '99999999999999999999']
    if kind == 'boolean':
        return ['true', 'false'], ['yes', '1']
    if schema.get('format') == 'date':
        return ['2024-06-30'], ['2024-02-30', '2024-6-3', 'today', '9999999999']
    return [], []


def check_parameters(report, description, caller):
    for path in description.tree['paths']:
        parameters = description.parameters(path)
        wanted = {p['name']: GOOD[p['name']] for p in parameters if p.get('required')}
        if 'GET' not in description.methods(path):
            report.expect(caller.ask(path)['status'] == 405, f'GET {path} is not refused')
            continue
        for parameter in parameters:
            schema = description.resolve(parameter['schema'])
            good, bad = values_of(schema)
            for value in good:
                arguments = {**wanted, parameter['name']: value}
                if parameter['name'] in ('source_column', 'target_column', 'fingerprint'):
                    continue
                answer = check_answer(report, description, path, caller.ask(path, arguments), f'{path} {arguments}')
            for value in bad:
                arguments = {**wanted, parameter['name']: value}
                report.expect(caller.ask(path, arguments)['status'] == 400, f'{path} {arguments}: is not refused')
        report.expect(caller.ask(path, {**wanted, 'nonsense': '1'})['status'] == 400, f'{path}: an unknown parameter is taken')
        for name in wanted:
            left = {k: v for k, v in wanted.items() if k != name}
            report.expect(caller.ask(path, left)['status'] == 400, f'{path} without {name}: is not refused')
        if 'POST' not in description.methods(path):
            report.expect(caller.ask(path, wanted, method='POST')['status'] == 405, f'POST {path} is not refused')


def check_lists(report, description, caller):
    for path in description.tree['paths']:
        names = [p['name'] for p in description.parameters(path)]
        if 'format' not in names:
            continue
        wanted = {p['name']: GOOD[p['name']] for p in description.parameters(path) if p.get('required')}
        if path == '/impact':
            wanted['layer'] = 'direct'
        value = json.loads(caller.ask(path, {**wanted, 'limit': '10000'})['body'])
        items = (value['direct'] if path == '/impact' else value)['items']
        answer = caller.ask(path, {**wanted, 'format': 'csv', 'limit': '10000'})
        rows = list(csv.reader(io.StringIO(answer['body'])))
        report.expect(answer['type'].startswith('text/csv') and len(rows) == (len(items) + 1 if items else 0), f'{path}: CSV has {len(rows)} lines for {len(items)} items')
        report.expect(len({len(r) for r in rows}) <= 1, f'{path}: lines of CSV differ in length')
        again = caller.ask(path, wanted, headers=[('Accept', 'text/csv')])
        report.expect(again['type'].startswith('text/csv'), f'{path}: Accept is not followed')
        check_pages(report, caller, path, wanted, items)


def check_pages(report, caller, path, wanted, items):
    """Page by page come the same items, each once."""
    got, cursor = [], None
    for _ in range(len(items) + 2):
        page = json.loads(caller.ask(path, {**wanted, 'limit': '7', **({'cursor': cursor} if cursor else {})})['body'])
        page = page['direct'] if path == '/impact' else page
        got += page['items']
        cursor = page['next']
        if cursor is None:
            break
    report.expect(got == items, f'{path}: pages have {len(got)} items, all at once {len(items)}')


def token_of(store, name, scopes):
    return subprocess.run([sys.argv[1], 'token', 'create', '--name', name, '--scopes', scopes, '--store', store], check=True, capture_output=True, text=True).stdout.strip()


def check_tags(report, caller):
    first = caller.ask('/table', {'name': 'dws.dws_city_day'})
    again = caller.ask('/table', {'name': 'dws.dws_city_day'}, headers=[('If-None-Match', first['etag'])])
    report.expect(len(first['etag']) == 34 and again['status'] == 304 and again['body'] == '', 'a tag that is known is answered in full')


def check_guard(report, program, caller_program, store):
    def status(caller, path='/home', **more):
        return caller.ask(path, {}, **more)['status']
    plain, guarded = Caller(caller_program, store), Caller(caller_program, store, 'operator')
    for host, good in (('localhost', 200), ('127.0.0.1:9464', 200), ('[::1]:9464', 200), ('evil.example', 403), ('localhost.evil.example', 403)):
        report.expect(status(plain, headers=[('Host', host)]) == good, f'Host {host}: not {good}')
    for origin, good in (('http://localhost:9464', 200), ('https://127.0.0.1', 200), ('http://evil.example', 403), ('null', 403)):
        report.expect(status(plain, headers=[('Origin', origin)]) == good, f'Origin {origin}: not {good}')
    report.expect(status(plain, headers=[('Sec-Fetch-Site', 'cross-site')]) == 403, 'cross-site is answered')
    report.expect(status(plain, headers=[('Sec-Fetch-Site', 'cross-site'), ('Sec-Fetch-Mode', 'navigate')]) == 200, 'a link from elsewhere is refused')
    report.expect(status(guarded) == 401, 'nobody is asked for a token')
    report.expect(status(guarded, headers=[('Authorization', 'Bearer operator')]) == 200, 'the operator is refused')
    make = lambda *words: subprocess.run([program, 'token', *words, '--store', store], check=True, capture_output=True, text=True).stdout
    token = make('create', '--name', 'reader').strip()
    bearer = [('Authorization', f'Bearer {token}')]
    edge = {'source': 'dws.dws_city_day', 'target': 'ads.ads_city_board_day'}
    answer = json.loads(guarded.ask('/edge', edge, headers=bearer)['body'])
    report.expect(answer['items'][0]['sql'] is None and answer['items'][0]['columns'][0]['expression'] is None, 'SQL is shown without the scope')
    more = make('create', '--name', 'sql', '--scopes', 'read,sql', '--days', '1').strip()
    answer = json.loads(guarded.ask('/edge', edge, headers=[('Authorization', f'Bearer {more}')])['body'])
    report.expect('INSERT' in answer['items'][0]['sql'].upper(), 'SQL is not shown with the scope')
    writer = make('create', '--name', 'writer', '--scopes', 'write').strip()
    report.expect(status(guarded, headers=[('Authorization', f'Bearer {writer}')]) == 403, 'a token without the scope read reads')
    make('revoke', '--name', 'reader')
    report.expect(status(guarded, headers=bearer) == 401, 'a revoked token holds')
    stored = pathlib.Path(store).read_bytes() + b''.join(p.read_bytes() for p in [pathlib.Path(store + '-wal')] if p.exists())
    report.expect(token.encode() not in stored, 'the token itself is in the store')
    for _ in range(12):
        last = guarded.ask('/home', headers=[('Authorization', 'Bearer wrong')])
    report.expect(last['status'] == 429 and last['retry_after'] == 60, 'wrong tokens are answered without end')
    for caller in (plain, guarded):
        report.expect(caller.close() == 0, 'the caller failed')


def check_taking(report, description, caller_program, store):
    """New results are stored all or not at all, by who may write; what is wrong is told with its place."""
    guarded = Caller(caller_program, store, 'operator')
    operator = [('Authorization', 'Bearer operator')]
    def post(body, headers=operator, kind='application/json'):
        body = body if isinstance(body, str) else json.dumps(body)
        answer = guarded.ask('/checks', method='POST', headers=[*headers, ('Content-Type', kind)], body=body)
        return answer['status'], check_answer(report, description, '/checks', answer, f'POST /checks {body[:100]}', 'POST')
    def results():
        return json.loads(guarded.ask('/checks', headers=operator)['body'])['items']
    before = results()
    report.expect([(c['table'], c['column'], c['status'], c['message']) for c in before] == [
        ('ods.ods_payment_di', 'discount', 'fail', '3 行'), ('dws.dws_city_day', None, 'warn', None), ('dim.dim_city', None, 'pass', None)], f'/checks: {before}')
    good = {'v': 1, 'check': 'rows', 'table': 'DIM.dim_city', 'status': 'fail', 'time': 1719800000000}
    for body, status, words in (
            ({'checks': [good, {**good, 'status': 'bad'}]}, 400, 'checks[1]: status: not one of the known names'), ({'checks': [{**good, 'v': 2}]}, 400, 'checks[0]: v: version 2'),
            ({'checks': [{**good, 'time': 10 ** 14}]}, 400, 'checks[0]: time: more than a day ahead'), ({'checks': [{**good, 'time': 10 ** 15}]}, 400, 'checks[0]: time: not in milliseconds'), ({'checks': [{**good, 'check': 'x' * 501}]}, 400, 'checks[0]: check: too long'),
            ({'checks': [good] * 1001}, 413, 'more than 1000'), ({'checks': [1]}, 400, 'checks[0]: expected an object'), ({'checks': 1}, 400, 'an array'), ({'check': []}, 400, '`checks`'),
            ({}, 400, '`checks` is missing'), ('[]', 400, '`checks` is missing'), ('{"checks": [', 400, 'no JSON object'), ('{"checks": []} x', 400, 'no JSON object'), ('', 400, 'no JSON object')):
        got, value = post(body)
        report.expect(got == status and words in value['detail'], f'POST /checks {str(body)[:100]}: {got} {value}')
    report.expect(post({'checks': [good]}, kind='text/plain')[0] == 415, 'a body of another type is taken')
    report.expect(post({'checks': [good]}, headers=[])[0] == 401, 'nobody may write')
    report.expect(post({'checks': [good]}, headers=[('Authorization', f'Bearer {token_of(store, "watcher", "read,sql")}')])[0] == 403, 'who may read writes')
    report.expect(results() == before, 'a refused call stored something')
    report.expect(post({'checks': [good, {**good, 'time': 1719799990000, 'status': 'warn'}]}, headers=[('Authorization', f'Bearer {token_of(store, "checker", "write")}')]) == (200, {'taken': 2}), 'results are refused')
    report.expect([(c['table'], c['namespace']) for c in results() if c['status'] == 'fail'] == [('dim.dim_city', NAMESPACE), ('ods.ods_payment_di', NAMESPACE)], f'/checks: {results()}')
    report.expect(post({'checks': []}) == (200, {'taken': 0}), 'no results are refused')
    report.expect(guarded.close() == 0, 'the caller failed')


def check_hit(report, caller):
    """Along a column only its own readers are hit; who is told is who keeps and who reads."""
    def hit(**arguments):
        return json.loads(caller.ask('/who-is-hit', {**arguments, 'limit': '1000'})['body'])
    whole, column = hit(name='ods.ods_payment_di'), hit(name='ods.ods_payment_di', column='discount')
    report.expect(whole['items'][0]['level'] == 0 and whole['items'][0]['dataset']['name'] == 'ods.ods_payment_di', 'the table itself does not come first')
    impact = json.loads(caller.ask('/impact', {'name': 'ods.ods_payment_di', 'column': 'discount', 'limit': '1000'})['body'])
    expected = [(d['dataset']['name'], d['level'], d['columns']) for layer in ('direct', 'indirect') for d in impact[layer]['items']]
    report.expect([(d['dataset']['name'], d['level'], d['columns']) for d in column['items'][1:]] == expected, 'who is hit is not the impact')
    report.expect(0 < len(column['items']) < len(whole['items']), f'{len(column["items"])} of {len(whole["items"])} are hit by a column')
    unknown = caller.ask('/who-is-hit', {'name': 'ods.ods_payment_di', 'column': 'discuont'})
    report.expect(unknown['status'] == 404 and json.loads(unknown['body'])['nearest'][0]['name'] == 'discount', f'a column that nobody knows: {unknown}')
    report.expect(any(d['readers'] for d in whole['items']) and any(d['writers'] for d in whole['items']), 'nobody is told')


def check_bad_input(report, caller, folder, caller_program):
    """Names that are none, and stores that are none: clear words."""
    for name in ('', ' ', "'; drop table dataset; --", '<script>alert(1)</script>', '数据仓库.没有', 'a' * 2000, '%00', '\u0000', '../../etc/passwd', '"', '#', '##', '.'):
        for path in ('/table', '/graph', '/impact', '/columns', '/history', '/queries'):
            answer = caller.ask(path, {'name': name})
            good = answer['status'] in (400, 404) or (path == '/queries' and name == '' and answer['status'] == 200)
            report.expect(good and (answer['status'] == 200 or 'title' in json.loads(answer['body'])), f'{path} {name!r}: {answer["status"]} {answer["body"][:100]}')
    for path, words in ((str(folder / 'nowhere.db'), 'cannot be opened'), (str(folder / 'warehouse.json'), 'cannot be opened')):
        other = Caller(caller_program, path)
        answer = other.ask('/home')
        report.expect(answer['status'] == 503 and words in json.loads(answer['body'])['detail'], f'{path}: {answer}')
        report.expect(other.close() == 0, f'{path}: the caller failed')


def main():
    program, caller_program, source = (pathlib.Path(p).resolve() for p in sys.argv[1:4])
    report = Report()
    text = (source / 'docs' / 'openapi.yaml').read_text(encoding='utf-8')
    description = Description(text)
    description.text = text
    for name, schema in description.tree['components']['schemas'].items():
        if 'example' in schema:
            for error in description.errors({'$ref': f'#/components/schemas/{name}'}, schema['example']):
                report.expect(False, f'the example of {name}: {error}')
            report.passed += 1
    with tempfile.TemporaryDirectory() as tmp:
        folder = pathlib.Path(tmp)
        store = make_store(program, source, folder)
        caller = Caller(caller_program, store)
        check_calls(report, description, caller)
        check_parameters(report, description, caller)
        check_lists(report, description, caller)
        check_hit(report, caller)
        check_tags(report, caller)
        check_bad_input(report, caller, folder, caller_program)
        report.expect(caller.close() == 0, 'the caller failed')
        check_taking(report, description, caller_program, store)
        for member in sorted(set(description.all_members()) - description.seen - UNSEEN):
            report.expect(False, f'no answer has {member}')
        check_guard(report, program, caller_program, store)
    print(f'{report.passed} passed, {report.failed} failed')
    return 1 if report.failed else 0


if __name__ == '__main__':
    sys.exit(main())
