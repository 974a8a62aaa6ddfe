#!/usr/bin/env python3
"""Lineage of many scripts on a Spark cluster: each partition of an RDD is piped through `colline lineage --batch`.

  lineage_pipe.py [--local] [--master M] [--colline PROGRAM] -c CATALOG [--define K=V]... [--slices N] [--columns] FOLDER...

Every script of the folders becomes one record, a line of JSON: {"id", "sql", "dialect"}. Colline answers each line with a
line, the script's lineage document; what is taken from it here are the edges between tables (with --columns, between columns),
each with the number of statements that make it. The output is sorted: the same whether Spark ran it or not.

--local leaves Spark out and gives all records to one colline process.
"""
import argparse
import collections
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

ENDINGS = ('.hql', '.sql', '.q')


def dialect_of(path):
    """As `colline lineage` tells it of a file's name."""
    impala = path.name.endswith('.impala.sql') or 'impala' in path.parts
    return 'impala' if impala else 'hive'


def records(folders):
    """One line of JSON for each script, in the order of names. JSON escapes line breaks, so a record is always one line."""
    for folder in folders:
        for path in sorted(p for p in pathlib.Path(folder).rglob('*') if p.name.endswith(ENDINGS)):
            sql = path.read_text(encoding='utf-8')
            yield json.dumps({'id': str(path), 'sql': sql, 'dialect': dialect_of(path)})


def column_edges(document):
    for statement in document['statements']:
        for column in statement['columns']:
            for source in column['sources']:
                yield name_of(source), column['target']


def table_edges(document):
    for statement in document['statements']:
        for output in statement['outputs']:
            for source in statement['inputs']:
                yield name_of(source), output.get('table') or output['path']


def name_of(item):
    """A table or a column is its name; a directory is {"path"}, a place inside a column {"column", "path"}."""
    return item if isinstance(item, str) else item.get('column', '') + item['path']


def edges_of(line, columns):
    """The edges of one answer. A script's broken statements have no edges and do not hide the others."""
    document = json.loads(line)
    return list(column_edges(document) if columns else table_edges(document))


def command_of(args):
    """Absolute paths: Spark's workers start the command in a folder of their own and without a PATH."""
    program = shutil.which(args.colline) or args.colline
    command = [os.path.abspath(program), 'lineage', '--batch', '-j', '1', '-c', os.path.abspath(args.catalog)]
    for define in args.define:
        command += ['--define', define]
    return command


def run_with_spark(args, lines):
    from pyspark.sql import SparkSession

    columns = args.columns
    spark = SparkSession.builder.master(args.master).appName('colline').getOrCreate()
    try:
        # Spark starts the command once a partition, writes the partition's lines into it and reads its lines back. Exit
        # status 1 says that some statement could not be analysed, which is no failure of the job, so it is not checked.
        answers = spark.sparkContext.parallelize(lines, args.slices).pipe(shlex.join(command_of(args)))
        counts = answers.flatMap(lambda line: edges_of(line, columns)).map(lambda edge: (edge, 1)).reduceByKey(lambda a, b: a + b)
        return dict(counts.collect())
    finally:
        spark.stop()


def run_locally(args, lines):
    done = subprocess.run(command_of(args), input='\n'.join(lines) + '\n', stdout=subprocess.PIPE, encoding='utf-8')
    if done.returncode > 1:
        sys.exit(f'{args.colline} ended with status {done.returncode}')
    return collections.Counter(edge for line in done.stdout.splitlines() for edge in edges_of(line, args.columns))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folders', nargs='+', metavar='FOLDER')
    parser.add_argument('-c', '--catalog', required=True, help='DDL, a saved catalog, or a folder; every worker must see it')
    parser.add_argument('--colline', default='colline', help='the program; every worker must have it')
    parser.add_argument('--columns', action='store_true', help='edges between columns, not tables')
    parser.add_argument('--define', action='append', default=[], metavar='K=V')
    parser.add_argument('--local', action='store_true', help='without Spark')
    parser.add_argument('--master', default='local[2]')
    parser.add_argument('--slices', type=int, default=4, help='partitions, each a run of the program')
    args = parser.parse_args()
    lines = list(records(args.folders))
    counts = run_locally(args, lines) if args.local else run_with_spark(args, lines)
    for (source, target), count in sorted(counts.items()):
        print(f'{source} -> {target}\t{count}')
    print(f'{len(lines)} scripts, {len(counts)} edges', file=sys.stderr)


if __name__ == '__main__':
    main()
