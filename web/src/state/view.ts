// What a person set on the lineage of one table: which hops are open, what is locked, which lens, which date.
// Read from and written to the address, nothing else holds it. Pure functions.

export type Side = 'up' | 'down';
export type Mode = 'graph' | 'list' | 'both';
export type Lens = 'none' | 'heat' | 'freshness' | 'status' | 'quality' | 'owner' | 'engine' | 'database' | 'layer';

export const LENSES: Lens[] = ['none', 'heat', 'freshness', 'status', 'quality', 'owner', 'engine', 'database', 'layer'];

// What the tables of a group have in common; '': there are no groups.
export type Grouping = '' | 'database' | 'owner' | 'project';

export const GROUPINGS: Grouping[] = ['', 'database', 'owner', 'project'];

// A locked table (`column` null) or column.
export interface Pin {
  table: string;
  column: string | null;
}

// The checks of a table, and which of them is picked; until one is, the worst.
export interface CheckRef {
  table: string;
  picked: { column: string | null; check: string } | null;
}

export interface EdgeRef {
  source: string;
  target: string;
  statement?: string; // fingerprint of the only one that is meant
}

export interface View {
  focus: string;
  namespace: string;
  depth: number; // hops drawn each way from the beginning
  up: string[]; // tables whose next hop upstream is drawn; the focus always is
  down: string[];
  closed: string[]; // 'up' or 'down': a side of the focus that was closed
  shown: string[]; // tables picked out of stacks
  columns: string[]; // tables whose columns are open; '*': all
  pins: Pin[];
  edge: EdgeRef | null;
  check: CheckRef | null;
  indirect: boolean;
  hubs: boolean; // with `indirect`, conditions over columns that decide about everything too
  statements: boolean; // as nodes
  offline: boolean;
  temporary: boolean;
  lens: Lens;
  group: Grouping;
  shut: string[]; // names of collapsed groups
  asOf: string; // a date, or ''
  diff: { from: string; to: string } | null;
  mode: Mode;
  side: Side; // which side the list shows
  filter: string;
  sort: string; // a column of the list, '-' before it for falling
  viewport: { x: number; y: number; zoom: number } | null; // where on the screen the focus stands
}

const MODES: Mode[] = ['graph', 'list', 'both'];

function oneOf<T extends string>(values: readonly T[], text: string | null, fallback: T): T {
  return values.includes(text as T) ? (text as T) : fallback;
}

function dateOf(text: string | null): string {
  return text && /^\d{4}-\d\d-\d\d$/.test(text) ? text : '';
}

function diffOf(text: string | null): View['diff'] {
  const [from, to] = (text ?? '').split('..');
  return dateOf(from ?? null) && dateOf(to ?? null) ? { from: from!, to: to! } : null;
}

export const MOST_DEPTH = 6;

function depthOf(text: string | null): number {
  const depth = Math.floor(Number(text ?? 1));
  return depth >= 1 && depth <= MOST_DEPTH ? depth : 1;
}

function viewportOf(text: string | null): View['viewport'] {
  const [x, y, zoom] = (text ?? '').split(',').map(Number);
  return text && [x, y, zoom].every((n) => Number.isFinite(n)) && zoom! > 0 ? { x: x!, y: y!, zoom: zoom! } : null;
}

// `pin=db.t` or `pin=db.t!column`: `!` is in no name that Hive or Impala takes unquoted.
function pinOf(text: string): Pin {
  const at = text.lastIndexOf('!');
  return at < 0 ? { table: text, column: null } : { table: text.slice(0, at), column: text.slice(at + 1) };
}

export const pinText = (pin: Pin): string => (pin.column === null ? pin.table : `${pin.table}!${pin.column}`);

// `check=db.t`, or `check=db.t!column!name` with an empty column where the whole table was checked.
function checkOf(text: string | null): CheckRef | null {
  if (!text) return null;
  const [table, column, ...name] = text.split('!');
  return { table: table!, picked: column !== undefined && name.length > 0 ? { column: column || null, check: name.join('!') } : null };
}

export const checkText = ({ table, picked }: CheckRef): string => (picked ? `${table}!${picked.column ?? ''}!${picked.check}` : table);

export function readView(params: URLSearchParams): View {
  const source = params.get('source');
  const target = params.get('target');
  const statement = params.get('statement');
  return {
    focus: params.get('name') ?? '',
    namespace: params.get('namespace') ?? '',
    depth: depthOf(params.get('depth')),
    up: params.getAll('up'),
    down: params.getAll('down'),
    closed: params.getAll('closed'),
    shown: params.getAll('show'),
    columns: params.getAll('cols'),
    pins: params.getAll('pin').map(pinOf),
    edge: source && target ? { source, target, ...(statement ? { statement } : {}) } : null,
    check: checkOf(params.get('check')),
    indirect: params.get('indirect') === '1',
    hubs: params.get('hubs') === '1',
    statements: params.get('statements') === '1',
    offline: params.get('offline') === '1',
    temporary: params.get('temporary') === '1',
    lens: oneOf(LENSES, params.get('lens'), 'none'),
    group: oneOf(GROUPINGS, params.get('group'), ''),
    shut: params.getAll('shut'),
    asOf: dateOf(params.get('as_of')),
    diff: diffOf(params.get('diff')),
    mode: oneOf(MODES, params.get('view'), 'graph'),
    side: oneOf(['up', 'down'] as const, params.get('side'), 'down'),
    filter: params.get('q') ?? '',
    sort: params.get('sort') ?? '',
    viewport: viewportOf(params.get('at')),
  };
}

// Only what differs from the beginning is written.
export function writeView(view: View): URLSearchParams {
  const params = new URLSearchParams();
  const set = (name: string, value: string | false | null | undefined) => value && params.set(name, value);
  const all = (name: string, values: string[]) => values.forEach((value) => params.append(name, value));
  set('name', view.focus);
  set('namespace', view.namespace);
  set('depth', view.depth > 1 && String(view.depth));
  all('up', view.up);
  all('down', view.down);
  all('closed', view.closed);
  all('show', view.shown);
  all('cols', view.columns);
  all('pin', view.pins.map(pinText));
  set('source', view.edge?.source);
  set('target', view.edge?.target);
  set('statement', view.edge?.statement);
  set('check', view.check && checkText(view.check));
  set('indirect', view.indirect && '1');
  set('hubs', view.hubs && '1');
  set('statements', view.statements && '1');
  set('offline', view.offline && '1');
  set('temporary', view.temporary && '1');
  set('lens', view.lens !== 'none' && view.lens);
  set('group', view.group);
  all('shut', view.shut);
  set('as_of', view.asOf);
  set('diff', view.diff && `${view.diff.from}..${view.diff.to}`);
  set('view', view.mode !== 'graph' && view.mode);
  set('side', view.side !== 'down' && view.side);
  set('q', view.filter);
  set('sort', view.sort);
  if (view.viewport) {
    const { x, y, zoom } = view.viewport;
    set('at', `${Math.round(x)},${Math.round(y)},${Math.round(zoom * 1000) / 1000}`);
  }
  return params;
}

export const toggled = (list: string[], value: string): string[] =>
  list.includes(value) ? list.filter((item) => item !== value) : [...list, value];

export const samePin = (a: Pin, b: Pin): boolean => a.table === b.table && a.column === b.column;

// A pick locks one thing; with `add` it joins what is locked already. Picking what is locked releases it.
export function withPin(pins: Pin[], pin: Pin, add: boolean): Pin[] {
  if (pins.some((other) => samePin(other, pin))) return pins.filter((other) => !samePin(other, pin));
  return add ? [...pins, pin] : [pin];
}

export const isOpen = (view: View, table: string, side: Side): boolean =>
  table === view.focus ? !view.closed.includes(side) : view[side].includes(table);

export function withToggledHop(view: View, table: string, side: Side): View {
  if (table === view.focus) return { ...view, closed: toggled(view.closed, side) };
  return { ...view, [side]: toggled(view[side], table) };
}

// Another table in the middle: switches, lens and dates stay, what hung on the old one goes.
export const focusedOn = (view: View, table: string): View => ({
  ...view,
  focus: table,
  up: [],
  down: [],
  closed: [],
  shown: [],
  columns: [],
  pins: [],
  edge: null,
  check: null,
  viewport: null,
});
