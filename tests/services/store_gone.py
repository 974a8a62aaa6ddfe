#!/usr/bin/env python3
"""store_gone.py COLLINE CALLER POSTGRES FOLDER PORT: while the server is away the interface says so in words, and when it is back it answers again,
without being started anew. Says what is wrong and ends with status 1."""
import json
import os
import subprocess
import sys
import tempfile

COLLINE, CALLER, POSTGRES, FOLDER, PORT = sys.argv[1:6]
ADDRESS = f'postgresql://colline@127.0.0.1:{PORT}/colline'


def ask(caller, path):
    caller.stdin.write(json.dumps({'path': '/api/v1' + path}) + '\n')
    caller.stdin.flush()
    answer = json.loads(caller.stdout.readline())
    return answer['status'], json.loads(answer['body'])


def server(verb):
    subprocess.run([POSTGRES, verb, FOLDER, PORT], check=True, capture_output=True, env={**os.environ, 'COLLINE_POSTGRES_CARELESS': '1'})


def expect(good, what):
    if not good:
        sys.exit(f'FAILED: {what}')


with tempfile.TemporaryDirectory() as folder:
    script = os.path.join(folder, 'all.hql')
    open(script, 'w').write('create table ods.o (id int);')
    subprocess.run([COLLINE, 'load', '--store', ADDRESS, '--catalog', script], check=True, capture_output=True)
caller = subprocess.Popen([CALLER, ADDRESS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
expect(ask(caller, '/databases')[0] == 200, 'the interface does not answer')
server('stop')
for _ in range(2):
    status, problem = ask(caller, '/databases')
    expect(status == 503 and 'cannot be reached' in problem['detail'], f'the server is away: {status} {problem}')
server('start')
expect(ask(caller, '/databases')[0] == 200, 'the server is back, the interface does not see it')
caller.stdin.close()
expect(caller.wait(timeout=30) == 0, 'the caller failed')
