// What was loaded of the graph so far: tables, edges, and for each hop that was asked for which tables it led to.
// Answers are merged in any order; nothing here knows of the screen. Pure functions.
import type { CountedDataset, Edge, GraphAnswer } from '../api/types';
import type { Side } from './view';

export interface GraphTable {
  dataset: CountedDataset;
  change: 'added' | 'gone' | 'kept' | null;
}

export interface Hop {
  table: string; // id it starts at
  side: Side;
  reached: string[]; // ids, hottest first
  next: string | null; // cursor of the rest
  left: number; // how many the rest is
}

export interface Graph {
  tables: Map<string, GraphTable>;
  edges: Map<string, Edge>;
  hops: Map<string, Hop>;
  hubEdges: number; // conditions over hubs that were left out
  complete: boolean;
}

export const emptyGraph = (): Graph => ({ tables: new Map(), edges: new Map(), hops: new Map(), hubEdges: 0, complete: true });

export const edgeKey = (source: string, target: string): string => `${source}\n${target}`;
export const hopKey = (table: string, side: Side): string => `${side}\n${table}`;

// A pair of tables has one edge on the page: the direct one where there is one.
function mergedEdge(known: Edge | undefined, edge: Edge): Edge {
  return known && known.kind === 'direct' && edge.kind === 'indirect' ? known : edge;
}

// Which tables the hops of an answer led to: from each table that lies less than `depth` from the focus.
function hopsOf(answer: GraphAnswer, side: Side, depth: number): Hop[] {
  const sign = side === 'up' ? -1 : 1;
  const levels = new Map(answer.nodes.map((node) => [node.dataset.id, node.level]));
  const order = new Map(answer.nodes.map((node, index) => [node.dataset.id, index]));
  const hops = new Map<string, Hop>();
  for (const node of answer.nodes)
    if (node.level * sign >= 0 && Math.abs(node.level) < depth)
      hops.set(node.dataset.id, { table: node.dataset.id, side, reached: [], next: null, left: 0 });
  for (const edge of answer.edges) {
    const [near, far] = side === 'up' ? [edge.target, edge.source] : [edge.source, edge.target];
    const hop = hops.get(near);
    if (hop && near !== far && (levels.get(far) ?? 0) * sign > 0) hop.reached.push(far);
  }
  for (const hop of hops.values()) hop.reached = [...new Set(hop.reached)].sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  const first = hops.get(answer.focus);
  // The cursor of a step says how many of it are known; of two days there are no further pages.
  const rest = depth === 1 ? answer.more[side] : 0;
  if (first) Object.assign(first, { next: answer.next ?? (rest > 0 && answer.from === null ? String(first.reached.length) : null), left: rest });
  return [...hops.values()];
}

// Puts what an answer says to what is known. `sides` are those that were asked for, `depth` how far.
export function withAnswer(graph: Graph, sides: Side[], depth: number, answer: GraphAnswer): Graph {
  const tables = new Map(graph.tables);
  const edges = new Map(graph.edges);
  const hops = new Map(graph.hops);
  for (const node of answer.nodes) tables.set(node.dataset.id, { dataset: node.dataset, change: node.change });
  for (const edge of answer.edges) {
    const key = edgeKey(edge.source, edge.target);
    edges.set(key, mergedEdge(edges.get(key), edge));
  }
  for (const side of sides)
    for (const hop of hopsOf(answer, side, depth)) {
      const key = hopKey(hop.table, side);
      const before = hops.get(key)?.reached ?? [];
      hops.set(key, { ...hop, reached: [...new Set([...before, ...hop.reached])] });
    }
  return { tables, edges, hops, hubEdges: graph.hubEdges + answer.hub_edges, complete: graph.complete && answer.complete };
}
