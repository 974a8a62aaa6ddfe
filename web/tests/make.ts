// Datasets, edges and answers for tests, with everything that does not matter filled in.
import type { ColumnEdge, CountedDataset, Edge, GraphAnswer } from '../src/api/types';

export const table = (name: string, more: Partial<CountedDataset> = {}): CountedDataset => ({
  id: `m#${name}`,
  namespace: 'm',
  name,
  database: name.includes('.') ? name.split('.')[0]! : null,
  kind: 'table',
  status: 'online',
  layer: null,
  family: null,
  comment: null,
  owner: null,
  engine: 'hive',
  temporary: false,
  column_count: 3,
  heat: 0,
  users: 1,
  last_written: null,
  last_read: null,
  quality: null,
  up_count: 0,
  down_count: 0,
  ...more,
});

export const edge = (source: string, target: string, more: Partial<Edge> = {}): Edge => ({
  source: `m#${source}`,
  target: `m#${target}`,
  kind: 'direct',
  state: 'current',
  evidence: 'ran',
  modes: ['append'],
  engines: ['hive'],
  runs: 1,
  users: 1,
  first_run: 0,
  last_run: 0,
  statement_count: 1,
  uncertain: [],
  through: [],
  change: null,
  ...more,
});

export const columnEdge = (source: string, target: string, more: Partial<ColumnEdge> = {}): ColumnEdge => ({
  source: `m#${source}`,
  target: `m#${target}`,
  kind: 'direct',
  transform: 'identity',
  expression: null,
  state: 'current',
  evidence: 'ran',
  runs: 1,
  last_run: 0,
  statement_count: 1,
  uncertain: [],
  ...more,
});

// An answer around `focus`: names by level, edges given.
export function answer(focus: string, levels: Record<string, number>, edges: Edge[], more: Partial<GraphAnswer> = {}, datasets: Record<string, Partial<CountedDataset>> = {}): GraphAnswer {
  const nodes = [[focus, 0] as const, ...Object.entries(levels)].map(([name, level]) => ({ dataset: table(name, datasets[name]), level, change: null }));
  return { focus: `m#${focus}`, nodes, edges, more: { up: 0, down: 0 }, next: null, as_of: null, from: null, hub_edges: 0, complete: true, ...more };
}
