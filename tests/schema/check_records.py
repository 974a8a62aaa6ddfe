#!/usr/bin/env python3
"""check_records.py CHECKER DOCS: the readers of raw records, events and results of checks, and their schemas, judge alike.

From a full record of each kind, thousands are made by leaving members out, by giving them wrong values and by adding unknown ones. What
the schema takes the reader must take, and write again as it was; what the schema refuses the reader must refuse. All members
of the schema must be there in the full record, and all members of the full record in the schema.
Prints what differs, then `N passed, N failed`.
"""
import copy
import json
import pathlib
import subprocess
import sys

import jsonschema

RAW = {'v': 1, 'source': 'lineage-log', 'kind': 'LINEAGE', 'query_id': 'a:b', 'cluster': 'c', 'host': 'h', 'backfill': True,
       'position': {'file': '/f', 'file_id': '0123456789abcdef', 'offset': 5, 'cursor': 'x'},
       'captured_at': 6, 'time_ms': 7, 'level': 'INFO', 'user': 'u', 'database': 'd', 'session_id': 's', 'statement_type': 'DML',
       'status': 'OK', 'state': 'FINISHED', 'error': 'e', 'start_ms': 8, 'end_ms': 9, 'duration_ms': 0, 'tables': ['a', 'b'],
       'outputs': ['c'], 'path': 'p', 'sql': 'select "ä"\n', 'sql_cut': True, 'sql_one_line': True, 'graph': {'edges': []}}
EVENT = {'v': 1, 'query_id': 'a:b', 'revision': 1, 'generation': 0, 'cluster': 'c', 'namespace': 'n', 'engine': 'hive', 'user': 'u',
         'database': 'd', 'session_id': 's', 'timestamp': 1, 'duration_ms': 2, 'status': 'INCOMPLETE', 'error': 'e',
         'operation_type': 'INSERT', 'input_tables': ['a'], 'output_tables': [], 'partitions': [{'table': 't', 'spec': 'ds=1'}],
         'paths': ['p'], 'sql': 'q', 'sql_cut': True, 'sql_one_line': True, 'fingerprint': 'f', 'lineage': {'index': 0},
         'engine_lineage': {}, 'event_time': 3, 'first_event_time': 2, 'processing_time': 4,
         'sources': [{'source': 'web', 'host': 'h', 'kinds': ['START', 'QUERY']}], 'backfill': True, 'incomplete': True,
         'is_valid': False, 'problems': [{'code': 'c', 'message': 'm'}]}
CHECK = {'v': 1, 'check': 'not_null', 'namespace': 'n', 'table': 'db.t', 'column': 'c', 'status': 'fail', 'time': 1764633600000, 'message': 'm', 'source': 's'}
VALUES = [0, 1, 2, -1, 1.5, 10 ** 11 - 1, 10 ** 11, 253402300799999, 253402300800000, 2 ** 63, 10 ** 20, '', 'x', 'OK', 'SCAN', 'FINISH', 'LINEAGE', 'web', 'pass', 'ä' * 501, 'A:B', '1' * 16, True, False,
          [], [1], ['x'], ['START'], {}, {'a': 1}, [{}], [{'code': 'x', 'message': ''}]]


def places_of(value, path=()):
    """Paths of all members, and of the first item of each list."""
    items = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    for key, inner in items:
        yield path + (key,)
        yield from places_of(inner, path + (key,))


def changed(record, path, change):
    made = copy.deepcopy(record)
    place = made
    for step in path[:-1]:
        place = place[step]
    change(place, path[-1])
    return made


def variants(record):
    yield record
    yield {**record, 'later': {'added': [1]}}
    for path in places_of(record):
        yield changed(record, path, lambda place, key: place.pop(key))
        for value in VALUES:
            yield changed(record, path, lambda place, key, v=value: place.__setitem__(key, v))


def same_members(schema, record, name):
    """Members of the schema against those of the full record, one level into each."""
    if set(schema['properties']) != set(record):
        yield f'{name}: {sorted(set(schema["properties"]) ^ set(record))} only on one side'


def without_nothing(value):
    """What is absent need not be written: empty texts and lists, false, 0. Kinds are a set. `a` is unknown everywhere."""
    if isinstance(value, dict):
        return {k: sorted(v) if k == 'kinds' else without_nothing(v) for k, v in value.items()
                if k != 'a' and (v not in ('', [], 0, False) or isinstance(v, dict))}
    return [without_nothing(v) for v in value] if isinstance(value, list) else value


def check(checker, schema, record, name):
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    made = list(variants(record))
    lines = '\n'.join(json.dumps(r, ensure_ascii=False) for r in made) + '\n'
    answers = subprocess.run([checker, name], input=lines, capture_output=True, text=True, check=True).stdout.split('\n')
    for one, answer in zip(made, answers):
        verdict, _, rest = answer.partition(' ')
        wrong = None
        if validator.is_valid(one) != (verdict == 'ok'):
            wrong = 'schema and reader differ'
        elif verdict == 'ok':
            back = json.loads(rest)
            one.pop('later', None)
            if without_nothing(back) != without_nothing(one) or not validator.is_valid(back):
                wrong = 'not written as it was read'
        yield wrong and f'{name}: {wrong}: {json.dumps(one, ensure_ascii=False)}\n    {answer}'


def main():
    checker, docs = sys.argv[1], pathlib.Path(sys.argv[2])
    passed = failed = 0
    for name, record, file in (('raw', RAW, 'raw-record'), ('event', EVENT, 'normalized-event'), ('check', CHECK, 'quality-check')):
        schema = json.loads((docs / f'{file}.schema.json').read_text(encoding='utf-8'))
        for problem in list(same_members(schema, record, name)) + list(check(checker, schema, record, name)):
            passed += problem is None
            failed += problem is not None
            if problem is not None and failed < 20:
                print(problem)
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
