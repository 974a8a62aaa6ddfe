import { describe, expect, it } from 'vitest';
import type { GraphAnswer } from '../src/api/types';
import { emptyGraph, hopKey, withAnswer, type Graph } from '../src/state/graph';
import { NODE_BUDGET, pictureOf, type Wanted } from '../src/state/visible';
import { answer, edge } from './make';

const wanted = (more: Partial<Wanted> = {}): Wanted => ({ focus: 'm#f.f', depth: 1, closed: [], hops: [], shown: [], offline: false, indirect: false, temporary: false, ...more });
const graphOf = (...answers: [GraphAnswer, ('up' | 'down')[], number?][]): Graph =>
  answers.reduce((graph, [one, sides, depth]) => withAnswer(graph, sides, depth ?? 1, one), emptyGraph());
const names = (ids: string[]) => ids.map((id) => id.slice(2));

function fan(focus: string, database: string, count: number, more: Partial<GraphAnswer> = {}): GraphAnswer {
  const list = Array.from({ length: count }, (_, i) => `${database}.t${String(i).padStart(3, '0')}`);
  return answer(focus, Object.fromEntries(list.map((name) => [name, 1])), list.map((name) => edge(focus, name)), more);
}

describe('the picture', () => {
  it('has the focus and one hop each way', () => {
    const graph = graphOf([answer('f.f', { 'a.a': -1 }, [edge('a.a', 'f.f')]), ['up']], [answer('f.f', { 'b.b': 1, 'c.c': 1 }, [edge('f.f', 'b.b'), edge('f.f', 'c.c'), edge('b.b', 'c.c')]), ['down']]);
    const picture = pictureOf(graph, wanted());
    expect(names(picture.tables)).toEqual(['f.f', 'a.a', 'b.b', 'c.c']);
    expect(picture.edges).toHaveLength(4);
    expect([...picture.levels.values()]).toEqual([0, -1, 1, 1]);
  });

  it('opens the next hop of one table only, and never takes away what was there', () => {
    const first = graphOf([fan('f.f', 'b', 3), ['down']]);
    const before = pictureOf(first, wanted());
    const second = withAnswer(first, ['down'], 1, answer('b.t001', { 'c.c': 1 }, [edge('b.t001', 'c.c')]));
    const after = pictureOf(second, wanted({ hops: [{ table: 'm#b.t001', side: 'down' }] }));
    expect(after.tables.slice(0, before.tables.length)).toEqual(before.tables);
    expect(names(after.tables)).toContain('c.c');
    expect(after.levels.get('m#c.c')).toBe(2);
  });

  it('closes a side of the focus', () => {
    const graph = graphOf([answer('f.f', { 'a.a': -1 }, [edge('a.a', 'f.f')]), ['up']]);
    expect(names(pictureOf(graph, wanted({ closed: ['up'] })).tables)).toEqual(['f.f']);
  });

  it('stacks long hops by database, keeps their order, and draws what was picked', () => {
    const graph = graphOf([fan('f.f', 'dm', 60, { more: { up: 0, down: 19_940 }, next: 'x' }), ['down']]);
    const picture = pictureOf(graph, wanted({ shown: ['m#dm.t050'] }));
    expect(picture.tables).toHaveLength(1 + 12 + 1);
    expect(names(picture.tables)).toContain('dm.t050');
    expect(picture.stacks).toHaveLength(1);
    expect(picture.stacks[0]).toMatchObject({ database: 'dm', side: 'down', left: 19_940 });
    expect(picture.stacks[0]!.members[0]).toBe('m#dm.t012');
    expect(picture.stacks[0]!.members).not.toContain('m#dm.t050');
  });

  it('never draws more than its budget by itself', () => {
    let graph = graphOf([fan('f.f', 'a', 24), ['down']]);
    const hops = Array.from({ length: 24 }, (_, i) => `a.t${String(i).padStart(3, '0')}`);
    hops.forEach((name, i) => (graph = withAnswer(graph, ['down'], 1, fan(name, `d${i}`, 24))));
    const picture = pictureOf(graph, wanted({ hops: hops.map((name) => ({ table: `m#${name}`, side: 'down' as const })) }));
    expect(picture.tables.length).toBeLessThanOrEqual(NODE_BUDGET);
    const stacked = picture.stacks.reduce((sum, stack) => sum + stack.members.length, 0);
    expect(picture.tables.length + stacked).toBe(1 + 24 + 24 * 24);
  });

  it('stacks dated siblings, but for one that was picked', () => {
    const days = ['20240313', '20240314', '20240315', '20240316'].map((day) => `s.t_${day}`);
    const data = Object.fromEntries(days.map((name) => [name, { family: 's.t_{yyyymmdd}' }]));
    const edges = [...days, 's.other'].map((name) => edge('f.f', name));
    const graph = graphOf([answer('f.f', Object.fromEntries([...days, 's.other'].map((name) => [name, 1])), edges, {}, data), ['down']]);
    const picture = pictureOf(graph, wanted({ shown: ['m#s.t_20240316'] }));
    expect(names(picture.tables)).toEqual(['f.f', 's.t_20240316', 's.other']);
    expect(picture.stacks.map((stack) => [stack.family, stack.members.length])).toEqual([['s.t_{yyyymmdd}', 3]]);
  });

  it('hides dropped tables and indirect edges until asked', () => {
    const graph = graphOf([answer('f.f', { 'b.b': 1, 'c.c': 1 }, [edge('f.f', 'b.b'), edge('f.f', 'c.c', { kind: 'indirect' })], {}, { 'b.b': { status: 'offline' } }), ['down']]);
    expect(names(pictureOf(graph, wanted()).tables)).toEqual(['f.f']);
    expect(names(pictureOf(graph, wanted({ offline: true })).tables)).toEqual(['f.f', 'b.b']);
    expect(names(pictureOf(graph, wanted({ offline: true, indirect: true })).tables)).toEqual(['f.f', 'b.b', 'c.c']);
  });

  it('goes several hops at once, and through cycles', () => {
    const edges = [edge('f.f', 'b.b'), edge('b.b', 'c.c'), edge('c.c', 'f.f'), edge('f.f', 'f.f')];
    const graph = graphOf([answer('f.f', { 'b.b': 1, 'c.c': -1 }, edges), ['up', 'down'], 2]);
    const picture = pictureOf(graph, wanted({ depth: 2 }));
    expect(names(picture.tables)).toEqual(['f.f', 'c.c', 'b.b']);
    expect(picture.edges).toHaveLength(3);
  });

  it('draws the tables of a traced path beside what they hang on', () => {
    const graph = graphOf([answer('f.f', { 'a.a': -1 }, [edge('a.a', 'f.f')]), ['up']], [answer('a.a', { 'o.o': -1 }, [edge('o.o', 'a.a')]), ['up']]);
    const picture = pictureOf(graph, wanted({ shown: ['m#o.o'] }));
    expect(picture.levels.get('m#o.o')).toBe(-2);
  });
});

describe('hops', () => {
  it('page: the rest is added behind what is there', () => {
    const first = answer('f.f', { 'a.a': 1 }, [edge('f.f', 'a.a')], { more: { up: 0, down: 1 }, next: '1' });
    const rest = answer('f.f', { 'b.b': 1 }, [edge('f.f', 'b.b')]);
    const graph = graphOf([first, ['down']], [rest, ['down']]);
    expect(graph.hops.get(hopKey('m#f.f', 'down'))).toMatchObject({ reached: ['m#a.a', 'm#b.b'], next: null, left: 0 });
  });

  it('keep the direct edge where there is an indirect one too', () => {
    const graph = graphOf([answer('f.f', { 'a.a': 1 }, [edge('f.f', 'a.a'), edge('f.f', 'a.a', { kind: 'indirect' })]), ['down']]);
    expect([...graph.edges.values()].map((one) => one.kind)).toEqual(['direct']);
  });
});
