#!/usr/bin/env python3
"""Times of the questions over a store, as one line of JSON.

  questions.py CALLER STORE [SECONDS PROGRAM [LOADER...]]

CALLER is tests/harness/api_call: the calls of /api/v1 without sockets, one after the other; the caller itself tells how long each took. Tables are
drawn from the hottest 2,000 and from searches for words of all layers, so hubs and leaves are both among them. With PROGRAM (colline) the store is
served instead, for SECONDS, to 64 clients that ask 200 times a second in all: 90 % table, hop and search, 10 % traces of at most 1,000 edges. LOADER, a
command that takes seconds as its last argument, loads into the store meanwhile. All times are in milliseconds.
"""
import asyncio
import json
import random
import socket
import subprocess
import sys
import time
import urllib.parse

WORDS = ['trade', 'order', 'pay', 'user', 'device', 'shop', 'goods', 'trip', 'click', 'risk', 'city', 'sensor', 'detail', 'stat', 'label', 'score', 'ods', 'dwd',
         'dws', 'ads', 'dim', '订单', '用户', '支付', '门店日', '库存快照', 'gmv', 'uv', 'total', 'remark', 'order day', 'order_detail', 'pay status', 'no_such_thing']
PER_QUESTION = 400
CLIENTS, RATE = 64, 200


class Caller:
    def __init__(self, program, store):
        self.process = subprocess.Popen([program, store], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding='utf-8')

    def ask(self, path, **arguments):
        call = {'path': '/api/v1' + path, 'arguments': [[k, str(v)] for k, v in arguments.items()]}
        self.process.stdin.write(json.dumps(call) + '\n')
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if answer['status'] != 200:
            sys.exit(f'{path} {arguments}: {answer["body"][:300]}')
        return answer['us'] / 1000, json.loads(answer['body'])


def share(times, of):
    times = sorted(times)
    return round(times[min(len(times) - 1, int(len(times) * of))], 2)


def draw_tables(caller):
    names = {item['dataset']['id'] for item in caller.ask('/heat', limit=2000)[1]['items']}
    for word in WORDS:
        names |= {item['dataset']['id'] for item in caller.ask('/search', q=word, type='table', limit=1000)[1]['items']}
    return sorted(names)


def time_questions(caller, tables, chance):
    """Median and 99th percentile of each question."""
    asked = {
        'table': lambda t: ('/table', {'name': t}),
        'hop': lambda t: ('/graph', {'name': t}),
        'columns': lambda t: ('/columns', {'name': t}),
        'search': lambda t: ('/search', {'q': chance.choice(WORDS)}),
        'impact': lambda t: ('/impact', {'name': t}),
    }
    figures = {}
    for name, call in asked.items():
        times = []
        for _ in range(PER_QUESTION):
            path, arguments = call(chance.choice(tables))
            times.append(caller.ask(path, **arguments)[0])
        figures[f'{name}_ms'], figures[f'{name}_p99_ms'] = share(times, 0.5), share(times, 0.99)
    return figures


def time_trace(caller):
    """From the end of the longest chain that the generated warehouse has, to its source."""
    names = [item['dataset'] for item in caller.ask('/search', q='chain.step', type='table', limit=1000)[1]['items']]
    if not names:
        return {}
    last = max(names, key=lambda d: int(d['name'].split('_')[-1]))
    column = caller.ask('/columns', name=last['id'])[1]['items'][0]['name']
    times, edges, hops = [], 0, 0
    for _ in range(20):
        took, trace = caller.ask('/column-graph', name=last['id'], column=column, direction='up', depth=100, limit=20000)
        times.append(took)
        edges, hops = len(trace['edges']), -min(node['level'] for node in trace['nodes'])
    return {'trace_ms': share(times, 0.5), 'trace_p99_ms': share(times, 0.99), 'trace_edges': edges, 'trace_hops': hops}


# ---- many clients ------------------------------------------------------------------------------------------------


def calls_of_clients(caller, tables, chance):
    """Paths, nine of ten table, hop and search."""
    traces = []
    while len(traces) < 50:
        table = chance.choice(tables)
        columns = caller.ask('/columns', name=table, limit=50)[1]['items']
        if columns:
            traces.append({'name': table, 'column': chance.choice(columns)['name'], 'direction': 'up', 'depth': 100, 'limit': 1000})

    def one():
        kind = chance.randrange(10)
        if kind == 0:
            return '/column-graph?' + urllib.parse.urlencode(chance.choice(traces))
        if kind < 4:
            return '/table?' + urllib.parse.urlencode({'name': chance.choice(tables)})
        if kind < 7:
            return '/graph?' + urllib.parse.urlencode({'name': chance.choice(tables)})
        return '/search?' + urllib.parse.urlencode({'q': chance.choice(WORDS)})
    return one


async def client(port, path_of, begin, until, times, errors):
    """Asks at a steady pace, each answer waited for."""
    reader, writer = await asyncio.open_connection('127.0.0.1', port)
    due = begin
    while (due := due + CLIENTS / RATE) < until:
        await asyncio.sleep(max(0, due - time.monotonic()))
        began = time.monotonic()
        writer.write(f'GET /api/v1{path_of()} HTTP/1.1\r\nHost: localhost\r\n\r\n'.encode())
        head = (await reader.readuntil(b'\r\n\r\n')).decode('latin-1').lower()
        length = int(head.split('content-length:')[1].split('\r\n')[0])
        await reader.readexactly(length)
        times.append((time.monotonic() - began) * 1000)
        if ' 200 ' not in head.split('\r\n')[0]:
            errors.append(head.split('\r\n')[0])
    writer.close()


async def all_clients(port, path_of, seconds):
    times, errors = [], []
    begin = time.monotonic() + 0.5
    results = await asyncio.gather(*(client(port, path_of, begin + i / RATE, begin + seconds, times, errors) for i in range(CLIENTS)), return_exceptions=True)
    errors += [repr(r) for r in results if r is not None]
    return times, errors


def time_clients(program, store, seconds, path_of, loader):
    with socket.socket() as free:
        free.bind(('127.0.0.1', 0))
        port = free.getsockname()[1]
    server = subprocess.Popen([program, 'serve', '--store', store, '--port', str(port)], stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            with socket.socket() as s:
                if s.connect_ex(('127.0.0.1', port)) == 0:
                    break
            time.sleep(0.1)
        loading = subprocess.Popen([*loader, str(seconds)], stdout=subprocess.PIPE, text=True) if loader else None
        times, errors = asyncio.run(all_clients(port, path_of, seconds))
        loaded = json.loads(loading.communicate()[0]) if loading else {}
    finally:
        server.terminate()
        server.wait()
    for error in errors[:5]:
        print(error, file=sys.stderr)
    return {**loaded, 'clients_calls': len(times), 'clients_errors': len(errors), 'clients_ms': share(times, 0.5), 'clients_p99_ms': share(times, 0.99)}


def main():
    caller = Caller(sys.argv[1], sys.argv[2])
    chance = random.Random(1)
    tables = draw_tables(caller)
    if len(sys.argv) > 4:
        print(json.dumps(time_clients(sys.argv[4], sys.argv[2], float(sys.argv[3]), calls_of_clients(caller, tables, chance), sys.argv[5:])))
    else:
        print(json.dumps({'tables_drawn': len(tables), **time_questions(caller, tables, chance), **time_trace(caller)}))


if __name__ == '__main__':
    main()
