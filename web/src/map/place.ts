// Where cards go that come after the first layout: beside the table that they hang on, in the nearest free place.
// What stands already does not move; cards that grow push only those below them, and let them back when they shrink.
// Pure functions.
import { CARD_WIDTH, LEVEL_GAP, SIBLING_GAP, type Box, type Point } from './geometry';

export interface Item {
  id: string;
  height: number;
  level: number;
}

export interface Link {
  source: string;
  target: string;
}

const STEP = CARD_WIDTH + LEVEL_GAP;

const overlapInX = (a: number, b: number): boolean => Math.abs(a - b) < CARD_WIDTH;

// The nearest place to `wanted` where a card of this height hits no box of the same column.
export function freePlace(wanted: Point, height: number, boxes: Box[]): Point {
  const column = boxes.filter((box) => overlapInX(box.x, wanted.x)).sort((a, b) => a.y - b.y);
  const fits = (y: number) =>
    column.every((box) => y + height + SIBLING_GAP <= box.y || y >= box.y + box.height + SIBLING_GAP);
  if (fits(wanted.y)) return wanted;
  const places = column.flatMap((box) => [box.y + box.height + SIBLING_GAP, box.y - SIBLING_GAP - height]).filter(fits);
  places.sort((a, b) => Math.abs(a - wanted.y) - Math.abs(b - wanted.y));
  return { x: wanted.x, y: places[0] ?? wanted.y };
}

function neighboursOf(id: string, links: Link[], placed: Map<string, Point>): { point: Point; side: 1 | -1 }[] {
  const found: { point: Point; side: 1 | -1 }[] = [];
  for (const link of links) {
    const source = placed.get(link.source);
    const target = placed.get(link.target);
    if (link.target === id && source) found.push({ point: source, side: 1 });
    if (link.source === id && target) found.push({ point: target, side: -1 });
  }
  return found;
}

// Gives each item without a place one, nearest levels first; `known` is left as it is.
export function placeAdded(items: Item[], links: Link[], known: Map<string, Point>): Map<string, Point> {
  const placed = new Map([...known].filter(([id]) => items.some((item) => item.id === id)));
  const heights = new Map(items.map((item) => [item.id, item.height]));
  const boxes: Box[] = [...placed].map(([id, at]) => ({ id, ...at, width: CARD_WIDTH, height: heights.get(id) ?? 0 }));
  const waiting = items.filter((item) => !placed.has(item.id)).sort((a, b) => Math.abs(a.level) - Math.abs(b.level));
  for (const item of waiting) {
    const neighbours = neighboursOf(item.id, links, placed);
    const nearest = neighbours[0];
    const wanted = nearest
      ? {
          x: nearest.point.x + nearest.side * STEP,
          y: neighbours.reduce((sum, one) => sum + one.point.y, 0) / neighbours.length,
        }
      : { x: item.level * STEP, y: 0 };
    const at = freePlace(wanted, item.height, boxes);
    placed.set(item.id, at);
    boxes.push({ id: item.id, ...at, width: CARD_WIDTH, height: item.height });
  }
  return placed;
}

// Pushes cards down that a taller one above them would cover.
export function settle(items: Item[], places: Map<string, Point>): Map<string, Point> {
  const sorted = items
    .filter((item) => places.has(item.id))
    .map((item) => ({ item, at: places.get(item.id)! }))
    .sort((a, b) => a.at.y - b.at.y);
  const done: Box[] = [];
  const settled = new Map<string, Point>();
  for (const { item, at } of sorted) {
    let y = at.y;
    for (const box of done) {
      const crosses = overlapInX(box.x, at.x) && y < box.y + box.height + SIBLING_GAP && y + item.height > box.y;
      if (crosses) y = box.y + box.height + SIBLING_GAP;
    }
    settled.set(item.id, { x: at.x, y });
    done.push({ id: item.id, x: at.x, y, width: CARD_WIDTH, height: item.height });
    done.sort((a, b) => a.y - b.y);
  }
  return settled;
}

// One column a level, databases together in each: the layout of grouped pictures.
export function placeGrouped(items: (Item & { group: string })[]): Map<string, Point> {
  const places = new Map<string, Point>();
  const levels = [...new Set(items.map((item) => item.level))];
  for (const level of levels) {
    const column = items.filter((item) => item.level === level).sort((a, b) => (a.group < b.group ? -1 : a.group > b.group ? 1 : 0));
    let y = 0;
    let group: string | null = null;
    for (const item of column) {
      if (group !== null && group !== item.group) y += SIBLING_GAP * 3;
      group = item.group;
      places.set(item.id, { x: level * STEP, y });
      y += item.height + SIBLING_GAP;
    }
    const shift = -(y - SIBLING_GAP) / 2;
    for (const item of column) places.get(item.id)!.y += shift;
  }
  return places;
}
