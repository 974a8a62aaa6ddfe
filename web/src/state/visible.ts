// Which of the loaded tables are drawn. Never more than a budget: what is beyond it stands in stacks, one a hop and
// database, hottest first, to pick from. The order is fixed by the order in which hops were opened, so that opening
// one never takes away what another one drew. Pure functions.
import { edgeKey, hopKey, type Graph, type Hop } from './graph';
import type { Edge } from '../api/types';
import type { Side } from './view';

export interface Stack {
  id: string;
  anchor: string; // the table whose hop it is
  side: Side;
  database: string;
  family: string | null; // of dated tables, `db.t_{yyyymmdd}`
  members: string[]; // loaded, hottest first
  left: number; // how many more the server has
}

export interface Picture {
  tables: string[]; // ids, focus first
  stacks: Stack[];
  edges: Edge[];
  levels: Map<string, number>; // of tables and stacks; negative is upstream
}

export interface Wanted {
  focus: string;
  depth: number; // hops of tables nearer to the focus than this are open
  closed: Side[]; // sides of the focus that were closed
  hops: { table: string; side: Side }[]; // the other open ones, in the order in which they were opened
  shown: string[]; // picked by hand, drawn whatever the budget says
  offline: boolean;
  indirect: boolean;
  temporary: boolean;
}

export const NODE_BUDGET = 150;
export const SIBLINGS_DRAWN = 12; // of one hop, when it is too long to be drawn whole
const STACKS_PER_HOP = 4;
const FAMILY = 3; // dated siblings from which on they are one stack

interface Drawing {
  tables: Set<string>;
  levels: Map<string, number>;
  stacks: Stack[];
}

function mayShow(graph: Graph, wanted: Wanted, id: string): boolean {
  const table = graph.tables.get(id);
  if (!table) return false;
  return wanted.offline || table.dataset.status !== 'offline' || wanted.shown.includes(id) || table.change === 'gone';
}

function linked(graph: Graph, wanted: Wanted, hop: Hop, id: string): boolean {
  const edge = graph.edges.get(hop.side === 'up' ? edgeKey(id, hop.table) : edgeKey(hop.table, id));
  return edge !== undefined && (wanted.indirect || edge.kind === 'direct');
}

function draw(drawing: Drawing, id: string, level: number): void {
  if (drawing.tables.has(id)) return;
  drawing.tables.add(id);
  drawing.levels.set(id, level);
}

function stacksOf(graph: Graph, hop: Hop, rest: string[], level: number): Stack[] {
  const groups = new Map<string, string[]>();
  for (const id of rest) {
    const database = graph.tables.get(id)?.dataset.database ?? '';
    groups.set(database, [...(groups.get(database) ?? []), id]);
  }
  let entries = [...groups];
  if (entries.length > STACKS_PER_HOP) {
    const few = entries.sort((a, b) => b[1].length - a[1].length);
    entries = [...few.slice(0, STACKS_PER_HOP - 1), ['', few.slice(STACKS_PER_HOP - 1).flatMap((entry) => entry[1])]];
  }
  if (entries.length === 0 && hop.left > 0) entries = [['', []]];
  return entries.map(([database, members], index) => ({
    id: `stack\n${hop.side}\n${hop.table}\n${database}\n${level}`,
    anchor: hop.table,
    side: hop.side,
    database,
    family: null,
    members,
    left: index === entries.length - 1 ? hop.left : 0,
  }));
}

// Dated siblings (`t_20240315`, `t_20240316` …) stand as one stack, but for those that were picked.
function familiesOf(graph: Graph, wanted: Wanted, hop: Hop, candidates: string[], level: number): Stack[] {
  const families = new Map<string, string[]>();
  for (const id of candidates) {
    const family = graph.tables.get(id)!.dataset.family;
    if (family && !wanted.shown.includes(id)) families.set(family, [...(families.get(family) ?? []), id]);
  }
  return [...families]
    .filter(([, members]) => members.length >= FAMILY)
    .map(([family, members]) => ({
      id: `stack\n${hop.side}\n${hop.table}\n${family}\n${level}`,
      anchor: hop.table,
      side: hop.side,
      database: graph.tables.get(members[0]!)!.dataset.database ?? '',
      family,
      members,
      left: 0,
    }));
}

function addStacks(drawing: Drawing, stacks: Stack[], level: number): void {
  for (const stack of stacks) {
    drawing.stacks.push(stack);
    drawing.levels.set(stack.id, level);
  }
}

function drawHop(graph: Graph, wanted: Wanted, drawing: Drawing, hop: Hop): void {
  const level = (drawing.levels.get(hop.table) ?? 0) + (hop.side === 'up' ? -1 : 1);
  const reached = hop.reached.filter(
    (id) => !drawing.tables.has(id) && mayShow(graph, wanted, id) && linked(graph, wanted, hop, id),
  );
  const families = familiesOf(graph, wanted, hop, reached, level);
  addStacks(drawing, families, level);
  const inFamilies = new Set(families.flatMap((stack) => stack.members));
  const candidates = reached.filter((id) => !inFamilies.has(id));
  const room = Math.max(0, NODE_BUDGET - drawing.tables.size - drawing.stacks.length - 1);
  const whole = candidates.length <= Math.min(room, SIBLINGS_DRAWN * 2) && hop.left === 0;
  const count = whole ? candidates.length : Math.min(room, SIBLINGS_DRAWN, candidates.length);
  const first = candidates.slice(0, count);
  const picked = candidates.slice(count).filter((id) => wanted.shown.includes(id));
  for (const id of [...first, ...picked]) draw(drawing, id, level);
  const rest = candidates.slice(count).filter((id) => !picked.includes(id));
  if (rest.length === 0 && hop.left === 0) return;
  addStacks(drawing, stacksOf(graph, hop, rest, level), level);
}

// Tables of a traced path hang on no open hop: their level follows from a neighbour that has one.
function drawLoose(graph: Graph, wanted: Wanted, drawing: Drawing): void {
  const collapsed = (id: string) => graph.tables.get(id)!.dataset.temporary && !wanted.temporary;
  let loose = wanted.shown.filter((id) => graph.tables.has(id) && !drawing.tables.has(id) && !collapsed(id));
  for (let more = true; more && loose.length > 0; ) {
    more = false;
    for (const id of loose) {
      const level = levelByNeighbour(graph, drawing, id);
      if (level === null) continue;
      draw(drawing, id, level);
      more = true;
    }
    loose = loose.filter((id) => !drawing.tables.has(id));
  }
}

function levelByNeighbour(graph: Graph, drawing: Drawing, id: string): number | null {
  for (const edge of graph.edges.values()) {
    if (edge.source === id && drawing.tables.has(edge.target)) return (drawing.levels.get(edge.target) ?? 0) - 1;
    if (edge.target === id && drawing.tables.has(edge.source)) return (drawing.levels.get(edge.source) ?? 0) + 1;
  }
  return null;
}

function drawNearHops(graph: Graph, wanted: Wanted, drawing: Drawing): void {
  for (const side of ['up', 'down'] as const) {
    if (wanted.closed.includes(side)) continue;
    let front = [wanted.focus];
    for (let step = 0; step < wanted.depth && front.length > 0; step++) {
      const before = new Set(drawing.tables);
      for (const table of front) {
        const hop = graph.hops.get(hopKey(table, side));
        if (hop) drawHop(graph, wanted, drawing, hop);
      }
      front = [...drawing.tables].filter((id) => !before.has(id));
    }
  }
}

export function pictureOf(graph: Graph, wanted: Wanted): Picture {
  const drawing: Drawing = { tables: new Set(), levels: new Map(), stacks: [] };
  if (graph.tables.has(wanted.focus)) draw(drawing, wanted.focus, 0);
  drawNearHops(graph, wanted, drawing);
  for (const { table, side } of wanted.hops) {
    const hop = graph.hops.get(hopKey(table, side));
    if (hop && drawing.tables.has(table)) drawHop(graph, wanted, drawing, hop);
  }
  drawLoose(graph, wanted, drawing);
  const edges = [...graph.edges.values()].filter(
    (edge) =>
      drawing.tables.has(edge.source) &&
      drawing.tables.has(edge.target) &&
      edge.source !== edge.target &&
      (wanted.indirect || edge.kind === 'direct'),
  );
  return { tables: [...drawing.tables], stacks: drawing.stacks, edges, levels: drawing.levels };
}
