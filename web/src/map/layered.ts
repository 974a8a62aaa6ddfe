// A layered layout for large pictures, in a few milliseconds where elkjs takes a second: layers by the longest path,
// order by the middle of the neighbours, then each card as near to its neighbours as those above and below allow.
// Pure functions.
import { CARD_WIDTH, LEVEL_GAP, SIBLING_GAP, type Point } from './geometry';
import type { Item, Link } from './place';

const SWEEPS = 6;
const STEP = CARD_WIDTH + LEVEL_GAP;

interface Vertex {
  item: Item;
  layer: number;
  y: number; // top
  sources: Vertex[];
  targets: Vertex[];
}

// Links that close a cycle are left out, so that layers exist.
function vertices(items: Item[], links: Link[]): Vertex[] {
  const all = new Map(items.map((item) => [item.id, { item, layer: 0, y: 0, sources: [], targets: [] } as Vertex]));
  const state = new Map<Vertex, 'open' | 'done'>();
  const next = new Map<Vertex, Vertex[]>();
  for (const link of links) {
    const [source, target] = [all.get(link.source), all.get(link.target)];
    if (source && target && source !== target) next.set(source, [...(next.get(source) ?? []), target]);
  }
  for (const start of all.values()) {
    const stack: { vertex: Vertex; at: number }[] = state.has(start) ? [] : [{ vertex: start, at: 0 }];
    if (stack.length > 0) state.set(start, 'open');
    while (stack.length > 0) {
      const top = stack[stack.length - 1]!;
      const target = next.get(top.vertex)?.[top.at++];
      if (!target) {
        state.set(top.vertex, 'done');
        stack.pop();
        continue;
      }
      if (state.get(target) === 'open') continue;
      top.vertex.targets.push(target);
      target.sources.push(top.vertex);
      if (state.has(target)) continue;
      state.set(target, 'open');
      stack.push({ vertex: target, at: 0 });
    }
  }
  return [...all.values()];
}

// Longest path from the sources; what feeds only something far to the right moves up to it.
function setLayers(all: Vertex[]): void {
  const waiting = new Map(all.map((vertex) => [vertex, vertex.sources.length]));
  const order: Vertex[] = [];
  const ready = all.filter((vertex) => vertex.sources.length === 0);
  while (ready.length > 0) {
    const vertex = ready.pop()!;
    order.push(vertex);
    for (const target of vertex.targets) {
      target.layer = Math.max(target.layer, vertex.layer + 1);
      waiting.set(target, waiting.get(target)! - 1);
      if (waiting.get(target) === 0) ready.push(target);
    }
  }
  for (const vertex of order.reverse())
    if (vertex.targets.length > 0) vertex.layer = Math.min(...vertex.targets.map((target) => target.layer)) - 1;
}

const centre = (vertex: Vertex): number => vertex.y + vertex.item.height / 2;

function stack(layer: Vertex[]): void {
  const height = layer.reduce((sum, vertex) => sum + vertex.item.height + SIBLING_GAP, -SIBLING_GAP);
  let y = -height / 2;
  for (const vertex of layer) {
    vertex.y = y;
    y += vertex.item.height + SIBLING_GAP;
  }
}

const mean = (list: Vertex[]): number => list.reduce((sum, vertex) => sum + centre(vertex), 0) / list.length;

// Moves each card towards its neighbours without changing the order: down in one pass, up in the other.
function relax(layer: Vertex[], neighbours: (vertex: Vertex) => Vertex[]): void {
  const wanted = layer.map((vertex) => {
    const near = neighbours(vertex);
    return near.length > 0 ? mean(near) - vertex.item.height / 2 : vertex.y;
  });
  let least = -Infinity;
  const down = layer.map((vertex, index) => {
    const y = Math.max(wanted[index]!, least);
    least = y + vertex.item.height + SIBLING_GAP;
    return y;
  });
  let most = Infinity;
  for (let index = layer.length - 1; index >= 0; index--) {
    const vertex = layer[index]!;
    const up = Math.min(wanted[index]!, most - vertex.item.height);
    most = up - SIBLING_GAP;
    vertex.y = (down[index]! + up) / 2;
  }
}

export function layered(items: Item[], links: Link[]): Map<string, Point> {
  const all = vertices(items, links);
  setLayers(all);
  const layers = new Map<number, Vertex[]>();
  for (const vertex of all) layers.set(vertex.layer, [...(layers.get(vertex.layer) ?? []), vertex]);
  const numbers = [...layers.keys()].sort((a, b) => a - b);
  for (const number of numbers) stack(layers.get(number)!);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const forward = sweep % 2 === 0;
    for (const number of forward ? numbers : [...numbers].reverse()) {
      const layer = layers.get(number)!;
      const near = (vertex: Vertex) => (forward ? vertex.sources : vertex.targets);
      const key = new Map(layer.map((vertex) => [vertex, near(vertex).length > 0 ? mean(near(vertex)) : centre(vertex)]));
      layer.sort((a, b) => key.get(a)! - key.get(b)!);
      stack(layer);
    }
  }
  for (const number of numbers) relax(layers.get(number)!, (vertex) => vertex.sources);
  for (const number of [...numbers].reverse()) relax(layers.get(number)!, (vertex) => [...vertex.sources, ...vertex.targets]);
  return new Map(all.map((vertex) => [vertex.item.id, { x: vertex.layer * STEP, y: vertex.y }]));
}
