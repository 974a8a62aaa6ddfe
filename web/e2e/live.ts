// A real `colline serve` over the sample warehouse: its DDL, its scripts, and the day of logs, as `make demo` loads them.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const PROGRAM = process.env.COLLINE ?? join(ROOT, 'build/colline');
const SPACE = 'hive://metastore.kestrel:9083';

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

// Makes the store of the demo in a folder of its own; gives its path.
export function makeStore(folder: string): string {
  const run = (...args: string[]) => execFileSync(PROGRAM, args, { cwd: ROOT, maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
  const [catalog, documents, day, store] = ['warehouse.json', 'scripts.jsonl', 'day', 'colline.db'].map((name) => join(folder, name)) as [string, string, string, string];
  run('catalog', 'build', '-o', catalog, 'samples/warehouse/ddl');
  writeFileSync(documents, run('lineage', '-c', catalog, '--define', 'dt=2024-06-30', '--format', 'jsonl', 'samples/warehouse'));
  mkdirSync(day);
  execFileSync(join(ROOT, 'tools/demo_day'), [PROGRAM, day], { stdio: 'ignore' });
  run('load', '--store', store, '--namespace', SPACE, '--catalog', catalog, '--from', join(day, 'events.jsonl'));
  run('load', '--store', store, '--namespace', SPACE, '--documents', documents, '--from', 'samples/checks.jsonl');
  return store;
}

export interface Live {
  address: string;
  stop: () => Promise<void>;
}

// A server over a store that `make` makes in a folder of its own.
export async function serve(make: (folder: string) => string = makeStore): Promise<Live> {
  const folder = mkdtempSync(join(tmpdir(), 'colline-page-'));
  const store = make(folder);
  const port = await freePort();
  const program = spawn(PROGRAM, ['serve', '--store', store, '--port', String(port)], { stdio: 'ignore' });
  const address = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries++) {
    const up = await fetch(`${address}/healthz`).then((answer) => answer.ok).catch(() => false);
    if (up) break;
    if (tries > 100 || program.exitCode !== null) throw new Error('colline serve does not answer');
    await new Promise((done) => setTimeout(done, 100));
  }
  const stop = async () => {
    const ended = new Promise((done) => program.once('exit', done));
    program.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { address, stop };
}
