// What the REST API answers, as docs/openapi.yaml describes it. Times are milliseconds since 1970, UTC; days are
// `YYYY-MM-DD`. The id of a dataset is `namespace#name`, that of a column `namespace#name#column`.

export type EdgeKind = 'direct' | 'indirect';
export type State = 'current' | 'superseded' | 'retired';
export type Evidence = 'ran' | 'script' | 'engine_confirmed';
export type Change = 'added' | 'gone' | 'kept' | null;
export type Status = 'online' | 'offline' | 'unknown';

export interface Uncertain {
  code: string;
  message: string;
}

export interface Dataset {
  id: string;
  namespace: string;
  name: string;
  database: string | null;
  kind: string;
  status: Status;
  layer: string | null;
  family: string | null;
  comment: string | null;
  owner: string | null;
  engine: string | null;
  temporary: boolean;
  heat: number;
  users: number;
  last_written: number | null;
  last_read: number | null;
  quality: CheckStatus | null; // the worst of its checks' newest results
}

// With columns and neighbours counted: in pictures and on its own page.
export interface CountedDataset extends Dataset {
  column_count: number;
  up_count: number;
  down_count: number;
}

export type CheckStatus = 'pass' | 'warn' | 'fail';

export interface Check {
  dataset: string;
  namespace: string;
  table: string;
  column: string | null; // null: the whole table
  check: string;
  status: CheckStatus;
  time: number;
  message: string | null;
  source: string | null;
}

// A table that is hit where a check failed; level 0 is the table itself.
export interface HitTable {
  dataset: Dataset;
  level: number;
  kind: 'direct' | 'indirect';
  columns: string[];
  via: string | null;
  writers: string[];
  readers: string[];
}

export interface Edge {
  source: string;
  target: string;
  kind: EdgeKind;
  state: State;
  evidence: Evidence;
  modes: string[];
  engines: string[];
  runs: number;
  users: number | null; // null in graphs
  first_run: number | null;
  last_run: number | null;
  statement_count: number;
  uncertain: Uncertain[];
  through: string[];
  change: Change;
}

export interface GraphNode {
  dataset: CountedDataset;
  level: number;
  change: Change;
}

export interface GraphAnswer {
  focus: string;
  nodes: GraphNode[];
  edges: Edge[];
  more: { up: number; down: number };
  next: string | null;
  as_of: string | null;
  from: string | null;
  hub_edges: number;
  complete: boolean;
}

export interface ColumnEdge {
  source: string;
  target: string;
  kind: EdgeKind;
  transform: string;
  expression: string | null;
  state: State;
  evidence: Evidence;
  runs: number;
  last_run: number | null;
  statement_count: number;
  uncertain: Uncertain[];
}

export interface ColumnNode {
  id: string;
  dataset: string;
  namespace: string;
  table: string;
  column: string | null;
  type: string | null;
  status: Status;
  level: number;
}

export interface ColumnGraph {
  focus: string | null;
  nodes: ColumnNode[];
  edges: ColumnEdge[];
  hub_edges: number;
  complete: boolean;
  as_of: string | null;
}

// A statement between given tables.
export interface Process {
  fingerprint: string;
  engine: string;
  operation: string;
  mode: string | null;
  state: State;
  evidence: Evidence;
  runs: number;
  last_run: number | null;
  query_id: string | null;
  script: string | null;
  sources: string[];
  targets: string[];
}

// Of a table with temporary neighbours: how many tables its hops lead to.
export interface HopCount {
  dataset: string;
  up: number;
  down: number;
}

// Who keeps a table, and what failed of it last.
export interface Keeping {
  dataset: string;
  owner: string | null;
  writers: { user: string; writes: number }[];
  readers: { user: string; reads: number }[];
  failed: { time: number; user: string | null; query_id: string; status: string } | null;
}

export interface Column {
  id: string;
  name: string;
  ordinal: number | null;
  type: string | null;
  comment: string | null;
  partition: boolean;
  status: Status;
  up_count: number;
  down_count: number;
  indirect_down_count: number;
}

export interface Page<T> {
  items: T[];
  next: string | null;
  total: number | null;
}

export interface Hit {
  type: 'table' | 'column';
  dataset: Dataset;
  column: string | null;
  column_comment: string | null;
  matched: 'name' | 'comment';
}

export interface SchemaChange {
  time: number;
  type: string;
  dataset: string;
  namespace: string;
  name: string;
  column: string | null;
  before: string | null;
  after: string | null;
  user: string | null;
  query_id: string | null;
}

export interface Home {
  counts: { datasets: number; columns: number | null; statements: number; column_edges: number | null };
  hot: Dataset[];
  changes: SchemaChange[];
  last_event: number | null;
  scopes: string[];
  user: string | null;
  namespaces: string[];
}

export interface Count {
  direct: number;
  total: number;
  total_is_exact: boolean;
}

export interface HeatDay {
  day: string;
  reads: number;
  writes: number;
  users: number;
}

export interface TableDetail {
  dataset: CountedDataset;
  view_text: string | null;
  location: string | null;
  first_seen: number | null;
  last_seen: number | null;
  up: Count;
  down: Count;
  reads: number;
  writes: number;
  last_write: { time: number; user: string | null; query_id: string | null; engine: string | null; operation: string | null } | null;
  usual_time: { from_minute: number; to_minute: number; share: number } | null;
  last_failure: { time: number; user: string | null; query_id: string; status: string } | null;
  checks: Record<CheckStatus, number>; // how many gave which newest result
  renamed_to: { name: string; time: number | null } | null;
  renamed_from: { name: string; time: number | null } | null;
  uncertain: Uncertain[];
  heat_by_day: HeatDay[];
}

export interface Span {
  start: number;
  end: number;
}

export interface StatementColumn {
  source: string;
  target: string;
  kind: EdgeKind;
  transform: string;
  expression: string | null;
  span: Span | null;
}

export interface Statement {
  fingerprint: string;
  engine: string;
  operation: string;
  mode: string | null;
  database: string | null;
  state: State;
  evidence: Evidence;
  runs: number;
  users: { user: string; runs: number }[];
  first_run: number | null;
  last_run: number | null;
  query_id: string | null;
  script: string | null;
  sql: string | null;
  columns: StatementColumn[];
  uncertain: Uncertain[];
}

export interface EdgeDetail extends Page<Statement> {
  edge: Edge | ColumnEdge;
}

export interface Hop {
  source: string;
  target: string;
  kind: EdgeKind;
  transform: string | null;
  expression: string | null;
  state: State;
  fingerprint: string | null;
}

export interface PathAnswer {
  found: boolean;
  source: string;
  target: string;
  hops: Hop[];
  composed: string | null;
  complete: boolean;
}

export interface Dependent {
  dataset: Dataset;
  level: number;
  kind: EdgeKind;
  columns: string[];
  via: string | null;
}

export interface Query {
  query_id: string;
  engine: string;
  user: string | null;
  database: string | null;
  started: number | null;
  duration_ms: number | null;
  status: string;
  operation: string | null;
  fingerprint: string | null;
  inputs: string[];
  outputs: string[];
}

export interface Impact {
  subject: string;
  direct: Page<Dependent> | null;
  queries: Page<Query> | null;
  indirect: Page<Dependent> | null;
  complete: boolean;
}

export interface Mark {
  start: number;
  end: number;
  role: 'source' | 'target';
  name: string;
}

export interface QueryDetail {
  query: Query;
  sql: string | null;
  error: string | null;
  marks: Mark[];
  lineage: LineageStatement | null;
  problems: Uncertain[];
  other_runs: number | null;
}

export interface LineageColumn {
  target: string;
  ordinal?: number;
  transform: string;
  sources: string[];
  expression?: string;
}

export interface Diagnostic {
  code: string;
  severity: string;
  message: string;
  span?: Span;
}

// The part of a lineage document's statement that the page shows.
export interface LineageStatement {
  index?: number;
  type?: string;
  span?: Span & { line?: number; column?: number };
  operation?: string;
  inputs?: (string | { path: string })[];
  outputs?: { table?: string; path?: string; write_mode?: string }[];
  columns?: LineageColumn[];
  predicates?: { clause: string; expression: string; sources: string[] }[];
  diagnostics?: Diagnostic[];
  error?: { code: string; message: string; line?: number; column?: number } | null;
}

export interface AnalysisChange {
  type: string;
  source: string | null;
  target: string | null;
  column: string | null;
  before: string | null;
  after: string | null;
}

export interface Analysis {
  document: { id: string; dialect: string; statements: LineageStatement[]; diagnostics?: Diagnostic[] };
  changes: AnalysisChange[];
  hit: Dependent[];
}

export interface HeatItem {
  dataset: Dataset;
  reads: number;
  writes: number;
  users: number;
}

export interface DeadColumn {
  namespace: string;
  table: string;
  column: string;
  type: string | null;
  comment: string | null;
  dataset: string;
}

export interface Health {
  status: 'good' | 'bad';
  version: string;
  store: { kind: string; schema: number; readable: boolean; bytes: number | null };
  checks: { name: string; good: boolean; detail: string | null }[];
  last_event: number | null;
  lag_ms?: number | null;
  events?: number | null;
  rejected?: number | null;
}
