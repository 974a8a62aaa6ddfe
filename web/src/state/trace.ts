// A trace as an indented list: each column below the one that it was reached from. A column that was listed already is
// named again, but not gone through again, so that cycles end and the list stays as long as the graph. Pure function.
import type { ColumnEdge, ColumnGraph } from '../api/types';

export interface TraceRow {
  key: string;
  id: string;
  depth: number;
  edge: ColumnEdge;
  seen: boolean;
}

const MOST_ROWS = 2000;

export function traceRows(graph: ColumnGraph, side: 'up' | 'down'): TraceRow[] {
  const next = new Map<string, ColumnEdge[]>();
  for (const edge of graph.edges) {
    const near = side === 'up' ? edge.target : edge.source;
    next.set(near, [...(next.get(near) ?? []), edge]);
  }
  const rows: TraceRow[] = [];
  const seen = new Set<string>([graph.focus ?? '']);
  const waiting = (next.get(graph.focus ?? '') ?? []).map((edge) => ({ edge, depth: 1 })).reverse();
  while (waiting.length > 0 && rows.length < MOST_ROWS) {
    const { edge, depth } = waiting.pop()!;
    const id = side === 'up' ? edge.source : edge.target;
    const known = seen.has(id);
    rows.push({ key: `${rows.length} ${id}`, id, depth, edge, seen: known && (next.get(id)?.length ?? 0) > 0 });
    if (known) continue;
    seen.add(id);
    for (const further of [...(next.get(id) ?? [])].reverse()) waiting.push({ edge: further, depth: depth + 1 });
  }
  return rows;
}
