import { describe, expect, it } from 'vitest';
import { en } from '../src/i18n/en';
import { zh } from '../src/i18n/zh';
import { csvOf, matches, sorted } from '../src/list/rows';
import { piecesOf, textPlaces } from '../src/sql/pieces';
import { legendOf, tintOf } from '../src/state/lens';
import { idOf, shortOf, splitName } from '../src/state/names';
import { readSaved, withSaved } from '../src/state/saved';
import { traceRows } from '../src/state/trace';
import { ago, bytes, duration, moment } from '../src/ui/time';
import { columnEdge, table } from './make';

describe('SQL', () => {
  it('is cut by what its words are', () => {
    const tokens = piecesOf("select 'a b', 1 -- 注释\nfrom t", []).filter((piece) => piece.token !== 'plain');
    expect(tokens.map((piece) => [piece.token, piece.text])).toEqual([
      ['keyword', 'select'],
      ['string', "'a b'"],
      ['number', '1'],
      ['comment', '-- 注释'],
      ['keyword', 'from'],
    ]);
  });

  it('has its marks where the bytes say, behind Chinese and emoji too', () => {
    const sql = "select '城市😀', sum(x) from t";
    const start = new TextEncoder().encode(sql.slice(0, sql.indexOf('sum'))).length;
    const pieces = piecesOf(sql, [{ start, end: start + 6, kind: 'strong' }]);
    expect(pieces.filter((piece) => piece.marks.length > 0).map((piece) => piece.text).join('')).toBe('sum(x)');
    expect(pieces.map((piece) => piece.text).join('')).toBe(sql);
    expect(textPlaces('城a', [3, 4, 99])).toEqual(new Map([[3, 1], [4, 2], [99, 2]]));
  });

  it('loses nothing, whatever the marks', () => {
    const sql = "insert into `a b` select \"x\"\"y\", /* never closed";
    for (let start = 0; start < sql.length; start += 3)
      expect(piecesOf(sql, [{ start, end: start + 5, kind: 'weak' }, { start: start + 2, end: 400, kind: 'strong' }]).map((piece) => piece.text).join('')).toBe(sql);
  });
});

describe('the list', () => {
  const rows = [
    { dataset: table('b.x', { heat: 5, owner: 'lin', comment: '订单' }), level: 2 },
    { dataset: table('a.y', { heat: 9, layer: 'dws' }), level: 1 },
    { dataset: table('a.z', { heat: 7, owner: '=cmd|calc', status: 'offline' }), level: 1 },
  ];
  const names = (list: typeof rows) => list.map((row) => row.dataset.name);
  it('filters by words and by properties', () => {
    expect(names(rows.filter((row) => matches(row, '订单')))).toEqual(['b.x']);
    expect(names(rows.filter((row) => matches(row, 'db:a')))).toEqual(['a.y', 'a.z']);
    expect(names(rows.filter((row) => matches(row, 'owner:lin b')))).toEqual(['b.x']);
    expect(names(rows.filter((row) => matches(row, 'layer:dws status:offline')))).toEqual([]);
  });
  it('is sorted by distance, then heat; else as asked', () => {
    expect(names(sorted(rows, ''))).toEqual(['a.y', 'a.z', 'b.x']);
    expect(names(sorted(rows, '-heat'))).toEqual(['a.y', 'a.z', 'b.x']);
    expect(names(sorted(rows, 'heat'))).toEqual(['b.x', 'a.z', 'a.y']);
    expect(names(sorted(rows, '-name'))).toEqual(['b.x', 'a.z', 'a.y']);
  });
  it('becomes CSV that no spreadsheet takes for formulas', () => {
    const lines = csvOf(rows).split('\r\n');
    expect(lines[0]).toBe('namespace,name,level,owner,layer,engine,status,quality,heat,users,last_read,last_written');
    expect(lines[3]).toBe("m,a.z,1,'=cmd|calc,,hive,offline,,7,1,,");
    expect(csvOf([{ dataset: table('a."b",c'), level: 1 }])).toContain('"a.""b"",c"');
  });
});

describe('lenses', () => {
  const now = Date.UTC(2026, 0, 10);
  it('colour by one property, with a legend of what is there', () => {
    const tables = [table('a.a', { heat: 0 }), table('a.b', { heat: 50 }), table('b.c', { heat: 40 })];
    expect(legendOf('heat', tables, now).map((entry) => [entry.label, entry.count])).toEqual([['lens.unused', 1], ['lens.warm', 2]]);
    expect(legendOf('none', tables, now)).toEqual([]);
    expect(tintOf('freshness', table('a.a', { last_written: now - 3 * 86_400_000 }), now)).toEqual({ colour: 'var(--age-1)', label: 'lens.week' });
    expect(tintOf('freshness', table('a.a'), now)!.label).toBe('lens.never');
    expect(tintOf('layer', table('a.a', { layer: 'dwd' }), now)).toEqual({ colour: 'var(--layer-dwd)', label: 'dwd' });
    expect(tintOf('database', table('a.a'), now)).toEqual(tintOf('database', table('a.b'), now));
  });
});

describe('traces', () => {
  it('name a column again but do not go through it twice', () => {
    const edges = [columnEdge('a.a#p', 'f.f#x'), columnEdge('b.b#q', 'f.f#x'), columnEdge('o.o#r', 'a.a#p'), columnEdge('o.o#r', 'b.b#q'), columnEdge('f.f#x', 'o.o#r')];
    const rows = traceRows({ focus: 'm#f.f#x', nodes: [], edges, complete: true, as_of: null }, 'up');
    expect(rows.map((row) => [row.depth, row.id.slice(2), row.seen])).toEqual([
      [1, 'a.a#p', false],
      [2, 'o.o#r', false],
      [3, 'f.f#x', true],
      [1, 'b.b#q', false],
      [2, 'o.o#r', true],
    ]);
  });
});

describe('names', () => {
  it('are short within a namespace', () => {
    expect([idOf('m', 'a.b'), idOf('m', 'n#a.b'), shortOf('m', 'm#a.b'), shortOf('m', 'n#a.b')]).toEqual(['m#a.b', 'n#a.b', 'a.b', 'n#a.b']);
    expect(splitName('a.b')).toEqual({ database: 'a', table: 'b' });
    expect(splitName('hdfs://nn/a.b')).toEqual({ database: '', table: 'hdfs://nn/a.b' });
  });
});

describe('saved views', () => {
  it('survive nonsense and lead nowhere else', () => {
    expect(readSaved('{')).toEqual([]);
    expect(readSaved('[{"name":"a","hash":"https://x"},{"name":"b","hash":"#/table?name=c","time":1}]').map((view) => view.name)).toEqual(['b']);
    const view = { name: 'a', hash: '#/', time: 1 };
    expect(withSaved([{ ...view, time: 0 }, { ...view, name: 'b' }], view).map((one) => [one.name, one.time])).toEqual([['a', 1], ['b', 1]]);
  });
});

describe('texts', () => {
  const flat = (texts: object, before = ''): [string, string][] =>
    Object.entries(texts).flatMap(([key, value]) => (typeof value === 'string' ? [[before + key, value] as [string, string]] : flat(value as object, `${before}${key}.`)));
  const holes = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]).filter((name) => name !== 'count').sort();
  it('are there in both languages, with the same values put in', () => {
    const other = new Map(flat(zh));
    expect(other.size).toBe(flat(en).length);
    for (const [key, text] of flat(en)) expect([key, holes(other.get(key)!)]).toEqual([key, holes(text)]);
  });
});

describe('figures', () => {
  it('are as people read them', () => {
    expect(moment(Date.UTC(2026, 0, 2, 3, 4))).toBe('2026-01-02 03:04');
    expect([moment(null), ago(null, 0, 'en'), duration(null), bytes(null)]).toEqual(['—', '—', '—', '—']);
    expect(ago(0, 3 * 3600_000, 'en')).toBe('3 hours ago');
    expect([duration(12), duration(1234), duration(62_000)]).toEqual(['12 ms', '1.2 s', '1 min 2 s']);
    expect([bytes(10), bytes(73_400_320)]).toEqual(['10 B', '70.0 MiB']);
  });
});
