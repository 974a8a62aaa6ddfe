"""Times sqlglot in memory over one sample of statements.

Usage: sqlglot_peer.py SAMPLE ROUNDS. The sample and the printed lines are those of src/main.rs. Three paths:

parse          `sqlglot.parse_one` of the text.
lineage        the same, then `sqlglot.lineage.lineage(None, query)` of the statement's query, as documented: it
               qualifies the query, builds its scopes and traces every output column with one shared cache. A
               statement without a query is only parsed.
lineage_bare   the same with the comforts off: no copy of the tree, no trimmed select for each node.
"""
import json
import logging
import statistics
import sys
import time

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.lineage import lineage


def read_sample(path):
    with open(path, 'rb') as f:
        while line := f.readline():
            yield f.read(int(line)).decode('utf-8')
            f.read(1)


def query_of(tree):
    """The query whose columns a statement writes or shows; None where it has none."""
    if isinstance(tree, exp.Query):
        return tree
    inner = tree.args.get('expression') if isinstance(tree, (exp.Insert, exp.Create)) else None
    return inner if isinstance(inner, exp.Query) else None


def run_parse(sql):
    tree = sqlglot.parse_one(sql, dialect='hive')
    return not isinstance(tree, exp.Command)


def run_lineage(sql, **less):
    tree = sqlglot.parse_one(sql, dialect='hive')
    query = query_of(tree)
    if query is not None:
        lineage(None, query, {}, dialect='hive', **less)
    return query is not None or not isinstance(tree, (exp.Command, exp.MultitableInserts, exp.Merge))


def run_lineage_bare(sql):
    return run_lineage(sql, trim_selects=False, copy=False)


def attempt(run, sql):
    """(nanoseconds, whether the tool did it) for one statement; what it refuses is timed too."""
    begin = time.perf_counter_ns()
    try:
        done = run(sql)
    except (SqlglotError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        done = False
    return time.perf_counter_ns() - begin, done


def measure(what, run, texts, rounds):
    first = [attempt(run, sql) for sql in texts]           # warms up and counts
    taken = [[attempt(run, sql)[0] for sql in texts] for _ in range(rounds)]
    medians = [int(statistics.median(times)) for times in zip(*taken)]
    print(json.dumps({'tool': 'sqlglot', 'what': what, 'accepted': [int(done) for _, done in first], 'ns': medians}), flush=True)


def main():
    logging.disable(logging.CRITICAL)
    texts, rounds = list(read_sample(sys.argv[1])), int(sys.argv[2])
    measure('parse', run_parse, texts, rounds)
    measure('lineage', run_lineage, texts, rounds)
    measure('lineage_bare', run_lineage_bare, texts, rounds)


if __name__ == '__main__':
    main()
