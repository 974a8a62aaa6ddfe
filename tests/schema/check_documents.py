#!/usr/bin/env python3
"""check_documents.py COLLINE SCHEMA PATH..: every document that the program writes holds to the schema.

Scripts are those of the .lt files below the paths, with their schema lines before them as DDL, in both readings, and all other SQL
files. Beyond the schema: spans lie inside the text and in order, indexes count from 0, names are in lower case, lists are sorted.
Prints what is wrong, then `N passed, N failed`.
"""
import json
import pathlib
import re
import subprocess
import sys

import jsonschema

TITLE = re.compile(r'^=== (.*?)\s*(?:\[([a-z ]+)\])?$')


def cases_of(path):
    """(title, dialects, SQL) of an .lt file."""
    common, title, part, dialects, lines = [], None, 0, ['hive'], ([], [], [])
    for line in path.read_text(encoding='utf-8').split('\n') + ['=== end']:
        match = TITLE.match(line)
        if match:
            if title is None:
                common = lines[0]
            else:
                yield title, dialects, ddl_of(common + lines[0]) + '\n'.join(lines[1])
            title, dialects, part, lines = match[1], (match[2] or 'hive').split(), 0, ([], [], [])
        elif line == '---' and part < 2:
            part += 1
        else:
            lines[part].append(line)


def ddl_of(options):
    ddl = ''
    for option in options:
        word, _, rest = option.partition(' ')
        if word in ('schema', 'setup'):
            ddl += ('create table ' if word == 'schema' else '') + rest + ';\n'
    return ddl


def scripts_of(paths):
    for path in paths:
        for lt in sorted(pathlib.Path(path).rglob('*.lt')):
            for title, dialects, sql in cases_of(lt):
                for dialect in dialects:
                    yield {'id': '%s: %s [%s]' % (lt.name, title, dialect), 'dialect': dialect, 'sql': sql}
        for sql in sorted(pathlib.Path(path).rglob('*.hql')) + sorted(pathlib.Path(path).rglob('*.sql')):
            dialect = 'impala' if 'impala' in str(sql) else 'hive'
            yield {'id': str(sql), 'dialect': dialect, 'sql': sql.read_text(encoding='utf-8')}


def problems_of(document, script, validator):
    for error in validator.iter_errors(document):
        yield '%s at %s' % (error.message[:200], '/'.join(str(p) for p in error.absolute_path))
    if document.get('id') != script['id']:
        yield 'another id: %r' % document.get('id')
    size, end = len(script['sql'].encode()), 0
    for index, statement in enumerate(document['statements']):
        if statement['index'] != index:
            yield 'statement %d has index %d' % (index, statement['index'])
        span = statement['span']
        if not end <= span['start'] <= span['end'] <= size:
            yield 'statement %d: span %r' % (index, span)
        end = span['end']
        yield from problems_of_statement(statement, size)


def problems_of_statement(statement, size):
    index = statement['index']
    tables = [i for i in statement['inputs'] if isinstance(i, str)]
    for names in (tables, statement['views']):
        if names != sorted(names):
            yield 'statement %d: not sorted: %r' % (index, names)
        if any(n != n.lower() for n in names if '$' not in n):
            yield 'statement %d: not in lower case: %r' % (index, names)
    for item in statement['columns'] + statement['predicates'] + statement['diagnostics']:
        span = item.get('span')
        if span and not span['start'] <= span['end'] <= size:
            yield 'statement %d: span %r' % (index, span)
        names = [s if isinstance(s, str) else s['column'] + s['path'] for s in item.get('sources', ())]
        if names != sorted(names):
            yield 'statement %d: sources not sorted: %r' % (index, names)


def main():
    program, schema_path, *paths = sys.argv[1:]
    schema = json.loads(pathlib.Path(schema_path).read_text(encoding='utf-8'))
    validator = jsonschema.Draft202012Validator(schema)
    validator.check_schema(schema)
    passed = failed = 0
    for reading in ('value', 'engine'):
        scripts = list(scripts_of(paths))
        lines = ''.join(json.dumps(s) + '\n' for s in scripts)
        run = subprocess.run([program, 'lineage', '--batch', '--reading', reading], input=lines.encode(), stdout=subprocess.PIPE)
        documents = [json.loads(line) for line in run.stdout.decode().splitlines()]
        if len(documents) != len(scripts):
            print('%d scripts, %d documents' % (len(scripts), len(documents)))
            failed += 1
        for document, script in zip(documents, scripts):
            problems = list(problems_of(document, script, validator))
            for problem in problems[:3]:
                print('%s (%s): %s' % (script['id'], reading, problem))
            failed += bool(problems)
            passed += not problems
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
