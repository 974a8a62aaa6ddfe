// embed.mjs DIST OUT.c: the files of the built page as the C table that svc/api/assets.h declares. Each is compressed
// once, here; there is no other copy of it in the program.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const LINE = 100;

function filesOf(folder, prefix = '') {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesOf(join(folder, entry.name), `${prefix}/${entry.name}`) : [`${prefix}/${entry.name}`],
  );
}

// A C string compiles much faster than a list of numbers. An octal escape has three digits, so that none runs on into
// the next letter; `?` is escaped against trigraphs.
function literal(bytes) {
  const lines = [];
  let line = '';
  for (const byte of bytes) {
    const plain = byte >= 32 && byte < 127 && byte !== 34 && byte !== 92 && byte !== 63;
    line += plain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
    if (line.length >= LINE) {
      lines.push(`    "${line}"`);
      line = '';
    }
  }
  return [...lines, `    "${line}"`].join('\n');
}

const [dist, out] = process.argv.slice(2);
const paths = filesOf(dist).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
const parts = ['/* Written by web/embed.mjs from the built page. */', '#include "api/assets.h"', ''];
const rows = paths.map((path, index) => {
  const type = TYPES[extname(path)];
  if (!type) throw new Error(`${path}: files of this kind have no content type here`);
  const content = readFileSync(join(dist, path));
  const packed = gzipSync(content, { level: 9 });
  const etag = createHash('sha256').update(content).digest('hex').slice(0, 20);
  parts.push(`static const unsigned char file_${index}[] =\n${literal(packed)};`, '');
  return `    {"${path}", "${type}", file_${index}, ${packed.length}, true, ${path.startsWith('/assets/')}, "\\"${etag}\\""},`;
});
parts.push('const struct asset api_assets[] = {', ...rows, '};', `const size_t api_asset_count = ${rows.length};`, '');
writeFileSync(out, parts.join('\n'));
