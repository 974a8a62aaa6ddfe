// A stand-in for `colline serve`: the built page, and the API over a warehouse in memory. For work on the page.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { analyze, routes } from './answers.mjs';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const problem = (status, title, detail, instance, nearest) => ({ status, body: { type: 'about:blank', title, status, detail, instance, ...(nearest ? { nearest } : {}) } });

function nearest(w, name) {
  const part = name.split('.').pop().slice(0, 4);
  return [...w.tables.keys()].filter((one) => one.includes(part)).slice(0, 5).map((one) => ({ namespace: w.namespace, name: one }));
}

async function answer(w, request, url) {
  const path = url.pathname.slice('/api/v1'.length);
  if (path === '/analyze' && request.method === 'POST') {
    const parts = [];
    for await (const part of request) parts.push(part);
    return { status: 200, body: analyze(w, JSON.parse(Buffer.concat(parts).toString())) };
  }
  const handle = routes[path];
  if (!handle) return problem(404, 'Not Found', `There is no ${path}.`, url.pathname);
  const name = url.searchParams.get('name');
  if (name && !w.get(name)) return problem(404, 'Not Found', `There is no table ${name}.`, url.pathname, nearest(w, name));
  const body = handle(w, url.searchParams);
  return body === null ? problem(404, 'Not Found', 'There is no such thing.', url.pathname) : { status: 200, body };
}

async function file(url) {
  const path = normalize(url.pathname === '/' ? '/index.html' : url.pathname);
  try {
    return { status: 200, type: TYPES[extname(path)] ?? 'application/octet-stream', bytes: await readFile(join(DIST, path)) };
  } catch {
    return { status: 404, type: 'text/plain', bytes: Buffer.from('not found') };
  }
}

// `delay`: milliseconds that each answer of the API waits. Gives the server, which listens on a free port unless told.
export function start(w, { port = 0, delay = 0 } = {}) {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, 'http://localhost');
    let found;
    if (url.pathname.startsWith('/api/v1/')) {
      if (delay > 0) await new Promise((done) => setTimeout(done, delay));
      const { status, body } = await answer(w, request, url);
      found = { status, type: status === 200 ? 'application/json' : 'application/problem+json', bytes: Buffer.from(JSON.stringify(body)) };
    } else found = await file(url);
    response.writeHead(found.status, { 'Content-Type': found.type, 'Content-Encoding': 'gzip', 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    response.end(gzipSync(found.bytes, { level: 1 }));
  });
  return new Promise((done) => server.listen(port, '127.0.0.1', () => done(server)));
}
