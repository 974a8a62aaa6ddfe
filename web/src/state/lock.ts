// What stays bright when a table or a column is picked: all that lies upstream and downstream of it among what is
// drawn. Several picks add up. And the trail of bad data: what lies downstream of what failed a check. Pure functions.
import type { ColumnEdge, Edge } from '../api/types';
import { edgeKey } from './graph';

export interface Lock {
  tables: Set<string>;
  columns: Set<string>;
  edges: Set<string>; // edgeKey of tables
  columnEdges: Set<string>; // edgeKey of columns
}

interface Link {
  source: string;
  target: string;
}

// Nodes and links that are reached from `start` by going one way only.
function walk(start: string, links: Map<string, Link[]>, far: (link: Link) => string, nodes: Set<string>, keys: Set<string>) {
  const waiting = [start];
  const seen = new Set(waiting);
  while (waiting.length > 0) {
    const node = waiting.pop()!;
    nodes.add(node);
    for (const link of links.get(node) ?? []) {
      keys.add(edgeKey(link.source, link.target));
      const next = far(link);
      if (!seen.has(next)) {
        seen.add(next);
        waiting.push(next);
      }
    }
  }
}

function grouped(links: Link[], by: (link: Link) => string): Map<string, Link[]> {
  const map = new Map<string, Link[]>();
  for (const link of links) {
    const list = map.get(by(link));
    if (list) list.push(link);
    else map.set(by(link), [link]);
  }
  return map;
}

const tableOf = (id: string): string => id.split('#').slice(0, 2).join('#');

const downstream = (start: string, links: Link[], nodes: Set<string>, keys: Set<string>) =>
  walk(start, grouped(links, (link) => link.source), (link) => link.target, nodes, keys);

const upstream = (start: string, links: Link[], nodes: Set<string>, keys: Set<string>) =>
  walk(start, grouped(links, (link) => link.target), (link) => link.source, nodes, keys);

const emptyLock = (): Lock => ({ tables: new Set(), columns: new Set(), edges: new Set(), columnEdges: new Set() });

// What columns are bright makes their tables and the edges between these bright.
function withTablesOf(lock: Lock, edges: Edge[]): Lock {
  for (const column of lock.columns) lock.tables.add(tableOf(column));
  for (const key of lock.columnEdges) {
    const [source, target] = key.split('\n') as [string, string];
    lock.edges.add(edgeKey(tableOf(source), tableOf(target)));
  }
  // An edge that leads through collapsed tables is bright when the path leads through these.
  for (const edge of edges) {
    const through = edge.through.some((name) => lock.tables.has(`${edge.source.split('#')[0]}#${name}`));
    if (through && lock.tables.has(edge.source) && lock.tables.has(edge.target)) lock.edges.add(edgeKey(edge.source, edge.target));
  }
  return lock;
}

export function lockOf(pins: string[], edges: Edge[], columnEdges: ColumnEdge[]): Lock | null {
  if (pins.length === 0) return null;
  const lock = emptyLock();
  const both = (start: string, links: Link[], nodes: Set<string>, keys: Set<string>) => {
    downstream(start, links, nodes, keys);
    upstream(start, links, nodes, keys);
  };
  for (const pin of pins) {
    if (pin.split('#').length === 3) both(pin, columnEdges, lock.columns, lock.columnEdges);
    else both(pin, edges, lock.tables, lock.edges);
  }
  return withTablesOf(lock, edges);
}

// Along the column where the check names one, else along the table.
export function trailOf(start: string, edges: Edge[], columnEdges: ColumnEdge[]): Lock {
  const trail = emptyLock();
  if (start.split('#').length === 3) downstream(start, columnEdges, trail.columns, trail.columnEdges);
  else downstream(start, edges, trail.tables, trail.edges);
  return withTablesOf(trail, edges);
}
