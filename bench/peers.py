"""Builds the peers that the benchmark runs against and runs them over a sample.

Nothing of them comes into the project: sqlglot lives in a virtual environment, the Rust peers are a program of their
own, both under the benchmark's work folder. Where one cannot be had (no cargo, no registry), that is said and the others run.
"""
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent / 'peers'


def quietly(command, **more):
    """Runs a building step at low priority; its last words as the reason when it fails, else None."""
    try:
        done = subprocess.run(['nice', *map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding='utf-8', **more)
    except OSError as problem:
        return problem.strerror
    return None if done.returncode == 0 else (done.stdout.strip().splitlines() or ['no reason given'])[-1]


def prepare_sqlglot(work):
    """The command of the sqlglot peer, or why there is none."""
    python = work / 'venv/bin/python'
    reason = None if python.exists() else quietly([sys.executable, '-m', 'venv', work / 'venv'])
    reason = reason or quietly([python, '-m', 'pip', 'install', '-q', '--disable-pip-version-check', '-r', HERE / 'requirements.txt'])
    return [str(python), str(HERE / 'sqlglot_peer.py')], reason


def prepare_rust(work):
    target = work / 'peers'
    reason = quietly(['cargo', 'build', '--release', '-j2', '--manifest-path', HERE / 'Cargo.toml'],
                     env=dict(os.environ, CARGO_TARGET_DIR=str(target)))
    return [str(target / 'release/peers')], reason


def prepare(work):
    """The commands of the peers that are at hand."""
    commands = []
    for title, prepared in (('sqlglot', prepare_sqlglot), ('flowscope-core and sqlparser', prepare_rust)):
        command, reason = prepared(work)
        if reason:
            print('bench: %s cannot be had here: %s' % (title, reason), flush=True)
        else:
            commands.append(command)
    return commands


def run(command, *arguments):
    """What a measuring program prints, a JSON object a line, as {(tool, what): record}."""
    done = subprocess.run([*command, *map(str, arguments)], stdout=subprocess.PIPE, check=True, encoding='utf-8')
    records = (json.loads(line) for line in done.stdout.splitlines() if line.startswith('{'))
    return {(r['tool'], r['what']): r for r in records}
