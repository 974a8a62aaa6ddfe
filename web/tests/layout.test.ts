import { describe, expect, it } from 'vitest';
import { CARD_WIDTH, cardHeight, columnOffset, curve, HEAD_HEIGHT, LEVEL_GAP, ROW_HEIGHT, SEARCH_HEIGHT, SIBLING_GAP, viewportFor, type Point } from '../src/map/geometry';
import { layered } from '../src/map/layered';
import { freePlace, placeAdded, placeGrouped, settle, type Item } from '../src/map/place';
import { nextCard } from '../src/map/walk';

const item = (id: string, level = 0, height = 48): Item => ({ id, level, height });
const at = (x: number, y: number): Point => ({ x, y });

function overlaps(items: Item[], places: Map<string, Point>): string[] {
  const hits: string[] = [];
  items.forEach((a, i) =>
    items.slice(i + 1).forEach((b) => {
      const [p, q] = [places.get(a.id)!, places.get(b.id)!];
      if (Math.abs(p.x - q.x) < CARD_WIDTH && p.y < q.y + b.height && q.y < p.y + a.height) hits.push(`${a.id} ${b.id}`);
    }),
  );
  return hits;
}

describe('cards that come later', () => {
  it('stand beside what they hang on, and move nothing', () => {
    const items = [item('f'), item('a', -1), item('n1', 1), item('n2', 1), item('n3', 1)];
    const known = new Map([['f', at(0, 0)], ['a', at(-356, 10)]]);
    const links = [{ source: 'a', target: 'f' }, ...['n1', 'n2', 'n3'].map((id) => ({ source: 'f', target: id }))];
    const places = placeAdded(items, links, known);
    expect([places.get('f'), places.get('a')]).toEqual([at(0, 0), at(-356, 10)]);
    for (const id of ['n1', 'n2', 'n3']) expect(places.get(id)!.x).toBe(CARD_WIDTH + LEVEL_GAP);
    expect(overlaps(items, places)).toEqual([]);
  });

  it('take the nearest free place', () => {
    const boxes = [{ id: 'a', x: 0, y: 0, width: CARD_WIDTH, height: 48 }];
    expect(freePlace(at(0, 5), 48, boxes)).toEqual(at(0, 48 + SIBLING_GAP));
    expect(freePlace(at(0, -30), 48, boxes)).toEqual(at(0, -48 - SIBLING_GAP));
    expect(freePlace(at(CARD_WIDTH, 5), 48, boxes)).toEqual(at(CARD_WIDTH, 5));
  });

  it('push those below when they grow, and let them back', () => {
    const places = new Map([['a', at(0, 0)], ['b', at(0, 66)], ['c', at(400, 66)]]);
    const closed = [item('a'), item('b'), item('c')];
    expect(settle(closed, places)).toEqual(places);
    const open = settle([item('a', 0, 300), item('b'), item('c')], places);
    expect(open.get('a')).toEqual(at(0, 0));
    expect(open.get('b')).toEqual(at(0, 300 + SIBLING_GAP));
    expect(open.get('c')).toEqual(at(400, 66));
  });
});

describe('a large picture', () => {
  it('has its layers from left to right, without overlaps, with cycles too', () => {
    const items = Array.from({ length: 150 }, (_, i) => item(`t${i}`, 0, 48 + (i % 5) * 60));
    const links = Array.from({ length: 387 }, (_, i) => ({ source: `t${(i * 7) % 100}`, target: `t${((i * 7) % 100) + 1 + ((i * 13) % 49)}` }));
    const places = layered(items, [...links, { source: 't149', target: 't0' }]);
    expect(places.size).toBe(150);
    for (const link of links) expect(places.get(link.target)!.x).toBeGreaterThan(places.get(link.source)!.x);
    expect(overlaps(items, places)).toEqual([]);
  });

  it('ends for what has no links, or only a cycle', () => {
    expect(layered([item('a')], []).get('a')!.x).toBe(0);
    expect(layered([item('a'), item('b')], [{ source: 'a', target: 'b' }, { source: 'b', target: 'a' }]).size).toBe(2);
  });

  it('is laid out within a blink', () => {
    const items = Array.from({ length: 150 }, (_, i) => item(`t${i}`));
    const links = Array.from({ length: 1000 }, (_, i) => ({ source: `t${i % 100}`, target: `t${50 + ((i * 31) % 100)}` }));
    const begin = performance.now();
    layered(items, links);
    expect(performance.now() - begin).toBeLessThan(500);
  });
});

describe('groups', () => {
  it('stand together in each column', () => {
    const places = placeGrouped([{ ...item('b', 1), group: 'y' }, { ...item('a', 1), group: 'x' }, { ...item('c', 1), group: 'x' }]);
    expect([...places].sort((a, b) => a[1].y - b[1].y).map(([id]) => id)).toEqual(['a', 'c', 'b']);
  });
});

describe('geometry', () => {
  it('knows how high a card is and where its columns are', () => {
    const open = { rows: ['a', 'b'], hidden: 3 };
    expect(cardHeight(undefined)).toBe(HEAD_HEIGHT);
    expect(cardHeight(open)).toBe(HEAD_HEIGHT + SEARCH_HEIGHT + 3 * ROW_HEIGHT + 4);
    expect(columnOffset(open, 'b')).toBe(HEAD_HEIGHT + SEARCH_HEIGHT + 1.5 * ROW_HEIGHT);
    expect(columnOffset(open, 'not shown')).toBe(HEAD_HEIGHT + SEARCH_HEIGHT + 2.5 * ROW_HEIGHT);
    expect(columnOffset(undefined, 'b')).toBe(HEAD_HEIGHT / 2);
  });

  it('shows the whole picture where that can be read, else the focus', () => {
    const focus = { id: 'f', x: 0, y: 0, width: 200, height: 100 };
    expect(viewportFor([focus], focus, 1000, 500, 0.6)).toEqual({ x: 400, y: 200, zoom: 1 });
    const far = { ...focus, id: 'g', x: 20_000 };
    expect(viewportFor([focus, far], focus, 1000, 500, 0.6)).toEqual({ x: 440, y: 220, zoom: 0.6 });
  });

  it('bows lines that run against the grain', () => {
    expect(curve(at(0, 0), at(200, 10))).toBe('M0,0C100,0 100,10 200,10');
    expect(curve(at(200, 0), at(0, 10))).toBe('M200,0C310,0 -110,10 0,10');
  });
});

describe('arrow keys', () => {
  const box = (id: string, x: number, y: number) => ({ id, x, y, width: CARD_WIDTH, height: 48 });
  const boxes = [box('a', -356, 0), box('f', 0, 0), box('g', 0, 100), box('b', 356, 400), box('c', 356, 0)];
  const links = [{ source: 'a', target: 'f' }, { source: 'f', target: 'b' }];
  it('walk along the edges', () => {
    expect(nextCard('f', 'ArrowLeft', boxes, links)).toBe('a');
    expect(nextCard('f', 'ArrowRight', boxes, links)).toBe('b');
  });
  it('go to the nearest card where there is no edge', () => {
    expect(nextCard('g', 'ArrowRight', boxes, links)).toBe('c');
    expect(nextCard('f', 'ArrowDown', boxes, links)).toBe('g');
    expect(nextCard('g', 'ArrowUp', boxes, links)).toBe('f');
    expect(nextCard('a', 'ArrowLeft', boxes, links)).toBeNull();
  });
});
