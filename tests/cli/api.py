"""Asks the interface at a port of this machine, as others would; ends with status 1 at the first answer that is not as it must be."""
import concurrent.futures
import gzip
import http.client
import json
import socket
import sys
import time

PORT, WRITER = int(sys.argv[1]), sys.argv[2] # a token that may write


def ask(path, method='GET', headers=None, body=None, timeout=60):
    connection = http.client.HTTPConnection('127.0.0.1', PORT, timeout=timeout)
    connection.request(method, path, body=body, headers=headers or {})
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, {k.lower(): v for k, v in answer.getheaders()}, content


def raw(request, wait=40):
    """What a server says to these very bytes; empty when it hangs up."""
    with socket.create_connection(('127.0.0.1', PORT), timeout=wait) as s:
        try:
            s.sendall(request)
            s.shutdown(socket.SHUT_WR)
            return s.recv(65536)
        except TimeoutError:
            raise
        except OSError: # it hung up while it was spoken to
            return b''


def expect(good, what):
    if not good:
        print('FAILED:', what)
        sys.exit(1)


def wait_for_server():
    for _ in range(600):
        try:
            return ask('/healthz')[0] == 200
        except OSError:
            time.sleep(0.1)
    return False


def browsers_and_programs():
    status, headers, body = ask('/api/v1/table?name=ods.o')
    expect(status == 200 and json.loads(body)['dataset']['column_count'] == 2, '/table')
    expect(headers['cache-control'] == 'private, no-cache' and headers['x-content-type-options'] == 'nosniff', 'headers')
    expect('frame-ancestors' in headers['content-security-policy'] and headers['referrer-policy'] == 'no-referrer', 'headers of a page')
    status, again, body = ask('/api/v1/table?name=ods.o', headers={'If-None-Match': headers['etag']})
    expect(status == 304 and body == b'' and again['etag'] == headers['etag'], 'a known tag')
    plain = ask('/api/v1/openapi.yaml')[2]
    status, headers, packed = ask('/api/v1/openapi.yaml', headers={'Accept-Encoding': 'gzip, br'})
    expect(headers['content-encoding'] == 'gzip' and len(packed) < len(plain) / 3 and gzip.decompress(packed) == plain, 'compression')
    status, headers, body = ask('/api/v1/home', method='HEAD')
    expect(status == 200 and body == b'', 'HEAD')
    status, _, body = ask('/api/v1/search?q=%E9%87%91%E9%A2%9D')
    expect(status == 200 and json.loads(body)['items'][0]['column'] == 'amount', 'Chinese')
    status, _, body = ask('/api/v1/analyze', 'POST', {'Content-Type': 'application/json'}, json.dumps({'sql': 'drop table ods.o'}))
    expect(status == 200 and json.loads(body)['changes'][0]['type'] == 'table_dropped', '/analyze')
    status, headers, _ = ask('/')
    expect(status in (200, 404) and "script-src" not in headers['content-security-policy'] and "default-src 'self'" in headers['content-security-policy'], 'the page')
    expect(ask('/metrics')[0] == 200 and ask('/readyz')[0] == 200, 'metrics')


def checks_from_many():
    """Results from several clients at once: each is stored, and the newest holds whoever was last."""
    def post(i, **headers):
        checks = [{'v': 1, 'check': 'rows', 'table': 'ods.o', 'status': 'fail' if i == 39 else 'pass', 'time': 1764633600000 + i}, {'v': 1, 'check': f'c{i}', 'table': 'ods.o', 'status': 'warn', 'time': 1764633600000}]
        return ask('/api/v1/checks', 'POST', {'Content-Type': 'application/json', **headers}, json.dumps({'checks': checks}))[0]
    expect(post(0) == 401, 'nobody stores a result')
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda i: post(i, Authorization=f'Bearer {WRITER}'), reversed(range(40))))
    expect(answers == [200] * 40, f'results by 8 clients: {answers}')
    items = json.loads(ask('/api/v1/checks?name=ods.o')[2])['items']
    expect(len(items) == 41 and [items[0][k] for k in ('check', 'status', 'time')] == ['rows', 'fail', 1764633600039], f'{len(items)} results, first {items[0]}')


def hostile():
    expect(ask('/api/v1/analyze', 'POST', {'Content-Type': 'application/json'}, b'x' * (4 * 1024 * 1024 + 1))[0] == 413, 'a body that is too large')
    expect(ask('/api/v1/home', headers={'Host': 'evil.example'})[0] == 403, 'another host')
    expect(ask('/api/v1/home', headers={'Origin': 'http://evil.example'})[0] == 403, 'another origin')
    for method in ('PUT', 'DELETE', 'OPTIONS', 'TRACE', 'BREW'):
        expect(ask('/api/v1/home', method)[0] in (400, 405, 501), method)
    for path in ('/api/v1/table?name=%00', '/api/v1/table?name=%ff%fe', '/api/v1/table?name=' + 'a' * 9000, '/api/v1/table?' + '&'.join(f'x{i}=1' for i in range(900)),
                 '/api/v1/../../etc/passwd', '/api/v1/%2e%2e/', '/../etc/passwd.txt', '/api/v2/home', '/api/v1/table?name=x&name=y&limit=%3Cscript%3E'):
        status = ask(path)[0]
        expect(400 <= status < 500, f'{path[:60]}: {status}')
    for bytes_ in (b'\0\1\2\3\r\n\r\n', b'GET\r\n\r\n', b'GET / HTTP/9.9\r\n\r\n', b'GET /api/v1/home HTTP/1.1\r\n\r\n', b'GET /' + b'a' * 100000 + b' HTTP/1.1\r\n\r\n',
                   b'GET / HTTP/1.1\r\n' + b'X: y\r\n' * 20000 + b'\r\n', b'POST /api/v1/analyze HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n',
                   b'POST /api/v1/analyze HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n',
                   b'POST /api/v1/analyze HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'):
        answer = raw(bytes_)
        expect(answer == b'' or answer.split(b' ')[1][:1] == b'4' or answer.split(b' ')[1] == b'505', f'{bytes_[:40]}: {answer[:60]}')


def slow_clients_hinder_nobody():
    slow = [socket.create_connection(('127.0.0.1', PORT)) for _ in range(60)]
    for i, s in enumerate(slow):
        s.sendall(b'GET /api/v1/home HTTP/1.1\r\nHost: loc' if i % 2 else b'POST /api/v1/analyze HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{')
    begun = time.time()
    expect(ask('/api/v1/home')[0] == 200 and time.time() - begun < 20, 'slow clients hold others up')
    for s in slow:
        s.close()


def many_at_once():
    paths = ['/api/v1/home', '/api/v1/table?name=dwd.o', '/api/v1/graph?name=dwd.o', '/api/v1/search?q=am', '/api/v1/nothing']
    with concurrent.futures.ThreadPoolExecutor(32) as pool:
        answers = list(pool.map(lambda i: ask(paths[i % len(paths)])[0], range(400)))
    expect(answers == [200, 200, 200, 200, 404] * 80, f'400 calls by 32 clients: {sorted(set(answers))}')


expect(wait_for_server(), 'the server does not answer')
browsers_and_programs()
checks_from_many()
hostile()
slow_clients_hinder_nobody()
many_at_once()
browsers_and_programs()
