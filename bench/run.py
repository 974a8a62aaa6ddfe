#!/usr/bin/env python3
"""Measures colline: speed beside its peers, instructions, growth, memory, a whole corpus; draws the pictures.

  bench/run.py                  everything (`make bench`)
  bench/run.py speed growth     only these parts: speed, instructions, growth, memory, batch
  bench/run.py --quick          fewer rounds, for a look

README.md beside this file says what each figure is. Sample, peers and all that is built lie in build/bench; the pictures go
into bench/results. The last line printed is one JSON object with every figure; a figure that could not be measured here is null.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'tools')]

import generate  # noqa: E402
import peers  # noqa: E402
import plot  # noqa: E402
import sample  # noqa: E402
from corpora import ROOT, batch_record, find_corpora, hive_catalogs, read_jsonl, write_jsonl  # noqa: E402

PARTS = ('speed', 'instructions', 'growth', 'memory', 'batch')
STEPS = (64, 32, 16, 8, 4, 2, 1)                           # sizes of a growth curve: the largest divided by these
FACTOR, ALLOWED = 8, 10                                    # 8 times the size may take 10 times the time


class Bench:
    """One run: where things are, and the figures so far."""

    def __init__(self, args):
        self.args, self.corpus, self.figures = args, pathlib.Path(args.corpus), {}
        self.work, self.results = ROOT / 'build/bench', HERE / 'results'
        self.engine, self.sample = str(ROOT / 'build/bench/engine'), self.work / 'sample.bin'
        self.rounds = 5 if args.quick else 15
        self.work.mkdir(parents=True, exist_ok=True)
        self.results.mkdir(exist_ok=True)

    def figure(self, name, value, digits=3):
        self.figures[name] = None if value is None else round(value, digits)

    def run_engine(self, *arguments):
        """The single object that the engine prints."""
        done = subprocess.run([self.engine, *map(str, arguments)], stdout=subprocess.PIPE, check=True, encoding='utf-8')
        return json.loads(done.stdout)


def percentile(values, share):
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


# ---- speed ----------------------------------------------------------------------------------------------------------

def measure_speed(bench, texts):
    """Every tool over the sample, twice in turn; a statement's time is the better of the two."""
    commands = [] if bench.args.no_peers else peers.prepare(bench.work)
    records = {}
    for _ in range(2):
        passes = [peers.run([bench.engine, 'sample'], bench.sample, bench.rounds)]
        passes += [peers.run(command, bench.sample, 3 if 'python' in command[0] else bench.rounds) for command in commands]
        for key, record in ((k, r) for found in passes for k, r in found.items()):
            before = records.get(key)
            if before:
                record['ns'] = [min(pair) for pair in zip(before['ns'], record['ns'])]
            records[key] = record
    queries = [sample.has_query(text) for text in texts]
    show_speed(bench, records, queries)
    set_ratios(bench)
    rows = [('%s, %s' % key, percentile(r['ns'], 0.5), key[0] == 'colline') for key, r in sorted(records.items(), key=lambda x: x[0][1])]
    title = 'Median time of a statement, in memory, one thread (%d statements)' % len(texts)
    (bench.results / 'peers.svg').write_text(plot.bars_svg(title, rows), encoding='utf-8')


def show_speed(bench, records, queries):
    print('\n%-10s %-14s %9s %9s %9s %12s %10s %12s' % ('tool', 'what', 'median', 'p90', 'p99', 'statements/s', 'accepted', 'of queries'))
    for (tool, what), record in sorted(records.items(), key=lambda item: (item[0][1], item[0][0] != 'colline')):
        ns, name = record['ns'], '%s_%s' % (tool, what)
        of_queries = percentile([t for t, q in zip(ns, queries) if q], 0.5)
        for key, value in (('median', percentile(ns, 0.5)), ('p90', percentile(ns, 0.9)), ('p99', percentile(ns, 0.99)), ('queries_median', of_queries)):
            bench.figure('%s_%s_us' % (name, key), value / 1e3)
        bench.figure(name + '_per_s', len(ns) / sum(ns) * 1e9, 0)
        bench.figure(name + '_accepted', record['accepted'])
        print('%-10s %-14s %6.2f µs %6.2f µs %6.2f µs %12d %10d %9.2f µs' % (
            tool, what, *(percentile(ns, p) / 1e3 for p in (0.5, 0.9, 0.99)), len(ns) / sum(ns) * 1e9, record['accepted'], of_queries / 1e3))


def set_ratios(bench):
    """How many times faster the median is, over the whole sample and over its statements with a query."""
    for name, peer, ours, least in (('ratio_sqlglot', 'sqlglot_lineage', 'colline_lineage', 100),
                                    ('ratio_sqlglot_bare', 'sqlglot_lineage_bare', 'colline_lineage', None),
                                    ('ratio_flowscope', 'flowscope_lineage', 'colline_lineage', 10),
                                    ('ratio_sqlparser', 'sqlparser_parse', 'colline_parse', 7)):
        for suffix, kind in (('', '_median_us'), ('_queries', '_queries_median_us')):
            theirs, own = bench.figures.get(peer + kind), bench.figures.get(ours + kind)
            bench.figure(name + suffix, theirs / own if theirs and own else None, 1)
        if bench.figures[name]:
            print('%-20s %6.1f times over all statements, %6.1f over those with a query%s' % (
                name, bench.figures[name], bench.figures[name + '_queries'], ' (wanted: %d)' % least if least else ''))


# ---- instructions ---------------------------------------------------------------------------------------------------

def measure_instructions(bench, texts):
    """Instructions a statement, counted by callgrind inside one function of the engine."""
    for name, function in (('instructions_parse', 'parse_text'), ('instructions_lineage', 'analyse_text')):
        command = ['valgrind', '--tool=callgrind', '--callgrind-out-file=/dev/null', '--collect-atstart=no',
                   '--toggle-collect=' + function, bench.engine, 'once', str(bench.sample)]
        try:
            said = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding='utf-8').stderr
        except OSError:
            said = ''
        counted = re.search(r'Collected : (\d+)', said)
        bench.figure(name, int(counted.group(1)) / len(texts) if counted else None, 0)
        print('%-22s %s a statement' % (name, '%.0f' % bench.figures[name] if counted else 'valgrind is not here;'))


# ---- growth ---------------------------------------------------------------------------------------------------------

def measure_growth(bench):
    """Time against size for every shape; right when no pair of sizes 8 apart takes more than 10 times the time."""
    series, linear, script = [], True, bench.work / 'growth.hql'
    print('\n%-18s %9s %12s %10s %10s  %s' % ('shape', 'largest', 'time', 'x8 worst', 'text', 'counted'))
    for name, (make, largest, unit) in generate.SHAPES.items():
        points = []
        for step in STEPS:
            script.write_text(make(largest // step), encoding='utf-8')
            got = bench.run_engine('script', script, 3 if step == 1 else 7)
            if got['errors']:
                print('%s %d: %d statements were not analysed' % (name, largest // step, got['errors']))
            points.append((largest // step, got['ns']))
            linear = linear and not got['errors']
        worst = max(later[1] / earlier[1] for earlier, later in zip(points, points[STEPS.index(1) - STEPS.index(FACTOR):]))
        linear = linear and worst <= ALLOWED
        bench.figure('growth_' + name, worst, 2)
        series.append(('%s (%s)' % (name.replace('_', ' '), unit), points))
        print('%-18s %9d %12s %10.2f %7d KB  %s' % (name, largest, plot.duration(points[-1][1]), worst, got['text_bytes'] // 1000, unit))
    bench.figures['growth_linear'] = linear
    (bench.results / 'growth.svg').write_text(plot.growth_svg(series), encoding='utf-8')


# ---- memory ---------------------------------------------------------------------------------------------------------

def large_scripts(bench):
    """(title, path, catalog or None) of the scripts to look at: the largest of the corpora, and generated ones."""
    for shape in ('script_length', 'in_items', 'statement_length'):
        path = bench.work / (shape + '.hql')
        path.write_text(generate.SHAPES[shape][0](generate.SHAPES[shape][1]), encoding='utf-8')
        yield shape, path, None
    for gold, catalog in (('hive/lineage.jsonl', 'hive/base.sql'), ('field/cases.jsonl', 'field/base.sql')):
        if (bench.corpus / gold).exists():
            record = max(read_jsonl(bench.corpus / gold), key=lambda r: len(r['sql']))
            path = bench.work / 'largest.hql'
            path.write_text(record['sql'], encoding='utf-8')
            yield record['id'], path, bench.corpus / catalog


def measure_memory(bench):
    worst = 0
    print('\n%-26s %10s %10s %10s %8s' % ('script', 'text', 'document', 'peak', 'ratio'))
    for title, path, catalog in large_scripts(bench):
        got = bench.run_engine('script', path, 1, *([catalog] if catalog else []))
        peak = (got['peak_kib'] - got['before_kib']) * 1024
        ratio = peak / (got['text_bytes'] + got['document_bytes'])
        worst = max(worst, ratio)
        print('%-26s %7d KB %7d KB %7d KB %8.1f' % (title, got['text_bytes'] // 1000, got['document_bytes'] // 1000, peak // 1000, ratio))
    bench.figure('memory_ratio', worst, 1)
    got = bench.run_engine('soak', bench.sample, 100000 if bench.args.quick else 1000000)
    grown = got['rss_kib'][-1] - got['rss_kib'][0]
    bench.figures.update(memory_soak_statements=got['statements'], memory_soak_kib=got['rss_kib'][-1], memory_soak_growth_kib=grown)
    print('memory over %d statements: %s KiB in %.1f s' % (got['statements'], ' '.join(map(str, got['rss_kib'])), got['seconds']))


# ---- a whole corpus -------------------------------------------------------------------------------------------------

def batch_input(bench):
    """(records, colline's catalog arguments) of the batch to time."""
    if (bench.corpus / 'hive/lineage.jsonl').exists():
        catalogs, named = hive_catalogs(bench.corpus)
        return [batch_record(r, 'hive', named=named) for r in read_jsonl(bench.corpus / 'hive/lineage.jsonl')], catalogs
    return [{'id': 'generated/%d' % i, 'sql': text, 'dialect': 'hive'} for i, text in enumerate(generate.sample(38000))], []


def measure_batch(bench):
    """All scripts through `colline lineage --batch` on one core, to JSON lines in a file; the best of three runs."""
    records, catalogs = batch_input(bench)
    given, out = bench.work / 'batch.in.jsonl', bench.work / 'batch.out.jsonl'
    write_jsonl(given, records)
    command = [bench.args.colline, 'lineage', '--batch', '--reading', 'engine', '-j', '1']
    command += [x for catalog in catalogs for x in ('-c', catalog)]
    best, peak = None, 0
    for _ in range(3):
        with open(given, 'rb') as stdin, open(out, 'wb') as stdout:
            begin = time.perf_counter()
            child = subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=subprocess.DEVNULL,
                                     preexec_fn=lambda: os.sched_setaffinity(0, {max(os.sched_getaffinity(0))}))
            _, status, usage = os.wait4(child.pid, 0)
            taken = time.perf_counter() - begin
        if os.waitstatus_to_exitcode(status) not in (0, 1):
            print('bench: colline ended with status %d' % os.waitstatus_to_exitcode(status))
            return
        best, peak = min(taken, best or taken), max(peak, usage.ru_maxrss)
    count = sum(len(answer['statements']) for answer in read_jsonl(out))
    bench.figure('batch_seconds', best)
    bench.figures.update(batch_statements=count, batch_peak_kib=peak)
    print('batch: %d scripts, %d statements, %.2f s on one core, %d statements/s, peak %d MiB' % (
        len(records), count, best, count / best, peak // 1024))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('parts', nargs='*', metavar='PART', help='which of: %s (default: all)' % ', '.join(PARTS))
    p.add_argument('--corpus', default=str(find_corpora()), help='folder of the corpora')
    p.add_argument('--colline', default=str(ROOT / 'build/colline'), help='the program')
    p.add_argument('--quick', action='store_true', help='fewer rounds')
    p.add_argument('--no-peers', action='store_true', help='only colline')
    args = p.parse_args()
    parts = args.parts or PARTS
    if set(parts) - set(PARTS):
        p.error('there are the parts %s' % ', '.join(PARTS))
    bench = Bench(args)
    texts, origin = sample.statements(bench.corpus)
    sample.write(bench.sample, texts)
    print('sample: %d statements of %s, %d of them with a query, median %d bytes' % (
        len(texts), origin, sum(map(sample.has_query, texts)), percentile([len(t.encode()) for t in texts], 0.5)))
    measures = {'speed': lambda: measure_speed(bench, texts), 'instructions': lambda: measure_instructions(bench, texts),
                'growth': lambda: measure_growth(bench), 'memory': lambda: measure_memory(bench), 'batch': lambda: measure_batch(bench)}
    failed = False
    for part in parts:
        try:
            measures[part]()
        except (OSError, ValueError, subprocess.CalledProcessError) as problem:
            print('bench: %s could not be measured: %s' % (part, problem))
            failed = True
    print(json.dumps(bench.figures))
    return 3 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
