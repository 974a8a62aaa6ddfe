import { describe, expect, it } from 'vitest';
import { lockOf } from '../src/state/lock';
import { columnEdge, edge } from './make';

const edges = [edge('a.a', 'b.b'), edge('b.b', 'c.c'), edge('b.b', 'd.d'), edge('x.x', 'd.d')];
const columns = [columnEdge('a.a#p', 'b.b#q'), columnEdge('b.b#q', 'c.c#r'), columnEdge('b.b#other', 'd.d#s')];
const bare = (set: Set<string>) => [...set].map((id) => id.slice(2)).sort();

describe('a lock', () => {
  it('is none while nothing is picked', () => expect(lockOf([], edges, columns)).toBeNull());

  it('of a table keeps all that is up- and downstream of it, not its neighbours’ other sources', () => {
    const lock = lockOf(['m#b.b'], edges, [])!;
    expect(bare(lock.tables)).toEqual(['a.a', 'b.b', 'c.c', 'd.d']);
    expect(lock.edges.size).toBe(3);
    expect(bare(lockOf(['m#c.c'], edges, [])!.tables)).toEqual(['a.a', 'b.b', 'c.c']);
  });

  it('of a column keeps its path only', () => {
    const lock = lockOf(['m#b.b#q'], edges, columns)!;
    expect(bare(lock.columns)).toEqual(['a.a#p', 'b.b#q', 'c.c#r']);
    expect(bare(lock.tables)).toEqual(['a.a', 'b.b', 'c.c']);
    expect(lock.edges.size).toBe(2);
  });

  it('adds up, and ends in a cycle', () => {
    expect(bare(lockOf(['m#c.c', 'm#x.x'], edges, [])!.tables)).toEqual(['a.a', 'b.b', 'c.c', 'd.d', 'x.x']);
    const cycle = [edge('a.a', 'b.b'), edge('b.b', 'a.a')];
    expect(bare(lockOf(['m#a.a'], cycle, [])!.tables)).toEqual(['a.a', 'b.b']);
  });

  it('keeps an edge that leads through collapsed tables of the path', () => {
    const through = [edge('a.a', 'c.c', { through: ['t.t'] }), edge('a.a', 'd.d', { through: ['u.u'] })];
    const lock = lockOf(['m#c.c#r'], through, [columnEdge('a.a#p', 't.t#q'), columnEdge('t.t#q', 'c.c#r')])!;
    expect([...lock.edges].filter((key) => key === 'm#a.a\nm#c.c')).toHaveLength(1);
    expect(lock.edges.has('m#a.a\nm#d.d')).toBe(false);
  });
});
