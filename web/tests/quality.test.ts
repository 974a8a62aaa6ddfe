// What a failed check leads to: the trail of its bad data, whom to tell; and what tables are grouped by.
import { describe, expect, it } from 'vitest';
import type { Check, HitTable } from '../src/api/types';
import { pickedOf } from '../src/map/useCheck';
import { groupOf, projectOf } from '../src/state/group';
import { legendOf, tintOf } from '../src/state/lens';
import { trailOf } from '../src/state/lock';
import { addressesOf, keepersOf, mailOf, textOf } from '../src/state/notify';
import { readView, writeView } from '../src/state/view';
import { columnEdge, edge, table } from './make';

const check = (more: Partial<Check> = {}): Check => ({ dataset: 'm#a.t', namespace: 'm', table: 'a.t', column: 'x', check: 'not_null', status: 'fail', time: 1, message: '3 rows', source: null, ...more });
const hit = (name: string, owner: string | null, more: Partial<HitTable> = {}): HitTable => ({ dataset: table(name, { owner }), level: 1, kind: 'direct', columns: [], via: null, writers: ['etl'], readers: [], ...more });

describe('the trail', () => {
  const edges = [edge('a.t', 'b.t'), edge('b.t', 'c.t'), edge('z.t', 'b.t'), edge('c.t', 'e.t', { through: ['tmp.s'] })];
  const columns = [columnEdge('a.t#x', 'b.t#y'), columnEdge('a.t#o', 'b.t#o'), columnEdge('b.t#y', 'c.t#y'), columnEdge('c.t#y', 'tmp.s#y'), columnEdge('tmp.s#y', 'e.t#y')];
  it('goes downstream only, along the column', () => {
    const trail = trailOf('m#b.t#y', edges, columns);
    expect([...trail.columns].sort()).toEqual(['m#b.t#y', 'm#c.t#y', 'm#e.t#y', 'm#tmp.s#y']);
    expect([...trail.tables].sort()).toEqual(['m#b.t', 'm#c.t', 'm#e.t', 'm#tmp.s']);
    expect(trail.edges.has('m#b.t\nm#c.t')).toBe(true);
    expect(trail.edges.has('m#a.t\nm#b.t')).toBe(false);
  });
  it('leads through collapsed tables', () => expect(trailOf('m#b.t#y', edges, columns).edges.has('m#c.t\nm#e.t')).toBe(true));
  it('of a whole table follows its edges', () => {
    const trail = trailOf('m#b.t', edges, []);
    expect([...trail.tables]).toEqual(['m#b.t', 'm#c.t', 'm#e.t']);
    expect(trail.columns.size).toBe(0);
  });
});

describe('whom to tell', () => {
  const hits = [hit('a.t', 'lin@bakery.example'), hit('b.t', null, { columns: ['y', 'z'], readers: ['bi', 'wu'] }), hit('c.t', 'chen'), hit('d.t', 'lin@bakery.example')];
  it('each keeper once, the owner before who writes most', () => expect(keepersOf(hits)).toEqual(['lin@bakery.example', 'etl', 'chen']));
  it('mails those that are addresses', () => {
    expect(addressesOf(hits)).toEqual(['lin@bakery.example']);
    const mail = mailOf(check(), hits, { subject: 'Bad & data', intro: 'Hit:', more: (count) => `${count} more` });
    expect(mail).toBe('mailto:lin%40bakery.example?subject=Bad%20%26%20data&body=Hit%3A%0D%0A3%20rows%0D%0A%0D%0Aa.t%0D%0Ab.t%20(y%2C%20z)%0D%0Ac.t%0D%0Ad.t');
  });
  it('takes no name for an address that would add others', () => expect(addressesOf([hit('a.t', 'x@y.z,evil@w.v'), hit('b.t', 'a b@c.d'), hit('c.t', 'x@y')])).toEqual([]));
  it('cuts a long mail and says so', () => {
    const many = Array.from({ length: 40 }, (_, i) => hit(`a.t${i}`, null));
    expect(decodeURIComponent(mailOf(check(), many, { subject: 's', intro: 'i', more: (count) => `${count} more` }))).toMatch(/a\.t29\r\n10 more$/);
  });
  it('as a list to paste', () => expect(textOf(hits.slice(0, 2), ['table', 'columns', 'owner', 'readers'])).toBe('table\tcolumns\towner\treaders\na.t\t\tlin@bakery.example\t\nb.t\ty, z\tetl\tbi, wu\n'));
});

describe('checks in the address', () => {
  const round = (text: string) => writeView(readView(new URLSearchParams(`name=a.t&${text}`))).toString();
  it('a table, or one of its checks', () => {
    expect(readView(new URLSearchParams('check=a.t')).check).toEqual({ table: 'a.t', picked: null });
    expect(readView(new URLSearchParams('check=a.t!x!is!odd')).check).toEqual({ table: 'a.t', picked: { column: 'x', check: 'is!odd' } });
    expect(readView(new URLSearchParams('check=a.t!!rows')).check).toEqual({ table: 'a.t', picked: { column: null, check: 'rows' } });
    for (const text of ['check=a.t', 'check=a.t%21x%21is%21odd', 'check=a.t%21%21rows', 'group=owner', 'group=project&shut=sales']) expect(round(text)).toBe(`name=a.t&${text}`);
    expect(round('group=nonsense')).toBe('name=a.t');
  });
  it('the worst is picked until one is', () => {
    const list = [check(), check({ check: 'rows', column: null, status: 'pass' })];
    expect(pickedOf(list, null)).toBe(list[0]);
    expect(pickedOf(list, { column: null, check: 'rows' })).toBe(list[1]);
    expect(pickedOf(list, { column: 'x', check: 'rows' })).toBeUndefined();
  });
});

describe('the lens of quality', () => {
  it('tells failed, warning, passed and unchecked apart, the worst first', () => {
    const tables = [table('a.p', { quality: 'pass' }), table('a.n'), table('a.f', { quality: 'fail' }), table('a.w', { quality: 'warn' })];
    expect(legendOf('quality', tables, 0).map((one) => one.label)).toEqual(['lens.check_fail', 'lens.check_warn', 'lens.check_pass', 'lens.unchecked']);
    expect(tintOf('quality', tables[2]!, 0)!.colour).toBe('var(--status-failed)');
  });
});

describe('groups', () => {
  it('a project is the first part of the database that is no layer', () => {
    const of = (database: string | null) => projectOf(database);
    expect(['sales', 'sales_dwd', 'dwd_sales', 'DWD_sales_eu', 'dwd', 'ods_dim', null].map(of)).toEqual(['sales', 'sales', 'sales', 'sales', 'dwd', 'ods_dim', '']);
  });
  it('an owner is the catalog’s, else who writes most', () => {
    expect(groupOf('owner', table('a.t', { owner: 'lin' }))).toBe('lin');
    expect(groupOf('owner', table('a.t'), { dataset: 'm#a.t', owner: null, writers: [{ user: 'etl', writes: 3 }], readers: [], failed: null })).toBe('etl');
    expect(groupOf('owner', table('a.t'))).toBe('');
    expect(groupOf('database', table('a.t'))).toBe('a');
  });
});
