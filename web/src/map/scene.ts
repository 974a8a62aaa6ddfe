// From what is to be drawn to cards and lines: data of every card, lines between them, frames of groups. Pure
// functions; where things stand is the layout's.
import type { ColumnEdge, Edge, HopCount, Process, Uncertain } from '../api/types';
import { hopKey, edgeKey, type Graph } from '../state/graph';
import { groupOf, UNGROUPED } from '../state/group';
import { paletteOf, tintOf, type Palette } from '../state/lens';
import type { Lock } from '../state/lock';
import { columnNameOf, idOf } from '../state/names';
import type { View } from '../state/view';
import type { Picture, Stack } from '../state/visible';
import { boundsOf, cardHeight, columnOffset, HEAD_HEIGHT, CARD_WIDTH, type Box, type Point } from './geometry';
import type { LineageEdgeData, Line } from './LineageEdge';
import type { TableCardData } from './TableCard';
import type { PlacedItem } from './useLayout';
import { processNodes, type ProcessNode } from './processes';
import type { OpenColumns } from './useColumns';
import type { Keepings } from './useKeepings';

export interface SceneEdge {
  id: string;
  source: string;
  target: string;
  data: LineageEdgeData;
  edge: Edge | null; // null where it stands for several, of a closed group
  statement?: string; // fingerprint, where it leads to or from the node of a statement
}

export interface Scene {
  cards: Map<string, TableCardData>;
  stacks: Map<string, Stack>;
  closed: Map<string, { name: string; count: number }>; // closed groups
  processes: Map<string, ProcessNode>; // statements as nodes
  items: PlacedItem[];
  edges: SceneEdge[];
  links: SceneEdge[]; // from card to card: what the layout and the keyboard go by
}

export interface SceneInput {
  view: View;
  namespace: string;
  focus: string;
  graph: Graph;
  picture: Picture;
  columns: OpenColumns;
  lock: Lock | null;
  trail: Lock | null; // of what failed a check
  processes: Process[]; // none where statements are no nodes
  keepings: Keepings;
  hops: Map<string, HopCount>; // where the counts of a table do not tell
  explain: (one: Uncertain) => string; // a reason in the reader's language
  now: number;
}

const closedId = (level: number, name: string): string => `group\n${level}\n${name}`;

const groupOfTable = ({ view, graph, keepings }: SceneInput, id: string): string => groupOf(view.group, graph.tables.get(id)!.dataset, keepings.get(id));

// A stack stands in a group when all that is known of its tables does.
function groupOfStack(input: SceneInput, stack: Stack): string {
  if (input.view.group === 'database') return stack.database;
  const groups = new Set(stack.members.filter((id) => input.graph.tables.has(id)).map((id) => groupOfTable(input, id)));
  return groups.size === 1 ? [...groups][0]! : UNGROUPED;
}

// The card that stands for a table: its own, or that of its closed group.
function standIns(input: SceneInput): Map<string, string> {
  const { view, picture } = input;
  const found = new Map<string, string>();
  for (const id of picture.tables) {
    const group = groupOfTable(input, id);
    const shut = view.group !== '' && group !== UNGROUPED && view.shut.includes(group);
    found.set(id, shut ? closedId(picture.levels.get(id) ?? 0, group) : id);
  }
  return found;
}

function litColumnsOf(lock: Lock | null, tableId: string): string {
  if (!lock) return '';
  const names = [...lock.columns].filter((id) => id.startsWith(`${tableId}#`)).map((id) => columnNameOf(id)!);
  return names.join('\n');
}

function pinnedOf(input: SceneInput, id: string): string {
  const pins = input.view.pins.filter((pin) => idOf(input.namespace, pin.table) === id);
  if (pins.some((pin) => pin.column === null)) return 'table';
  return pins.map((pin) => pin.column).join('\n');
}

function drawnNeighbours(input: SceneInput): { up: Map<string, number>; down: Map<string, number> } {
  const up = new Map<string, number>();
  const down = new Map<string, number>();
  for (const edge of input.picture.edges) {
    if (edge.kind !== 'direct' || edge.change === 'gone') continue;
    up.set(edge.target, (up.get(edge.target) ?? 0) + 1);
    down.set(edge.source, (down.get(edge.source) ?? 0) + 1);
  }
  return { up, down };
}

function openSides(input: SceneInput, id: string): { up: boolean; down: boolean } {
  const { view, graph, picture, focus, namespace } = input;
  const level = picture.levels.get(id) ?? 0;
  const near = (side: 'up' | 'down') =>
    !view.closed.includes(side) && Math.abs(level) < view.depth && (level === 0 ? id === focus : level < 0 === (side === 'up'));
  const has = (side: 'up' | 'down') => (graph.hops.get(hopKey(id, side))?.reached.length ?? 0) > 0;
  const named = (side: 'up' | 'down') => view[side].some((name) => idOf(namespace, name) === id);
  return { up: (near('up') || named('up')) && has('up'), down: (near('down') || named('down')) && has('down') };
}

// How many tables a badge promises: by the counts of the table until its hop was loaded, then by what came.
function hiddenOf(input: SceneInput, id: string, side: 'up' | 'down', counted: number): number {
  const hop = input.graph.hops.get(hopKey(id, side));
  if (!hop) return counted;
  return hop.reached.filter((one) => !input.picture.levels.has(one) && input.graph.tables.has(one)).length + hop.left;
}

function cardData(input: SceneInput, id: string, drawn: ReturnType<typeof drawnNeighbours>, palette: Palette): TableCardData {
  const { view, graph, columns, lock, trail } = input;
  const { dataset, change } = graph.tables.get(id)!;
  const sides = openSides(input, id);
  return {
    dataset,
    isFocus: id === input.focus,
    open: columns.open.get(id),
    columns: columns.columns.get(id),
    query: columns.states.get(id)?.query ?? '',
    upOpen: sides.up,
    downOpen: sides.down,
    upHidden: hiddenOf(input, id, 'up', (input.hops.get(id)?.up ?? dataset.up_count) - (drawn.up.get(id) ?? 0)),
    downHidden: hiddenOf(input, id, 'down', (input.hops.get(id)?.down ?? dataset.down_count) - (drawn.down.get(id) ?? 0)),
    tint: tintOf(view.lens, dataset, input.now, input.keepings.get(id), palette)?.colour ?? null,
    failed: input.keepings.get(id)?.failed?.time ?? null,
    lit: lock ? lock.tables.has(id) : null,
    litColumns: litColumnsOf(lock, id),
    hit: trail?.tables.has(id) ?? false,
    hitColumns: litColumnsOf(trail, id),
    pinned: pinnedOf(input, id),
    change: change === 'kept' ? null : change,
  };
}

export function styleOf(edge: Edge, lock: Lock | null, trail: Lock | null = null): string {
  const key = edgeKey(edge.source, edge.target);
  const lit = lock?.edges.has(key);
  return [
    edge.kind,
    edge.state,
    `seen-${edge.evidence}`,
    edge.change && edge.change !== 'kept' && `change-${edge.change}`,
    lock && (lit ? 'lit' : 'dim'),
    trail?.edges.has(key) && 'trail',
  ]
    .filter(Boolean)
    .join(' ');
}

const NO_LINES: Pick<LineageEdgeData, 'lines' | 'litLines' | 'trailLines'> = { lines: [], litLines: [], trailLines: [] };

function linesOf(input: SceneInput, edge: Edge, list: ColumnEdge[]): Pick<LineageEdgeData, 'lines' | 'litLines' | 'trailLines'> {
  const { columns, lock, trail } = input;
  const from = columns.open.get(edge.source);
  const to = columns.open.get(edge.target);
  if (!from || !to) return NO_LINES;
  const seen = new Set<string>();
  const lines: Line[] = [];
  const litLines: Line[] = [];
  const trailLines: Line[] = [];
  for (const one of list) {
    const line = {
      from: columnOffset(from, columnNameOf(one.source)) - HEAD_HEIGHT / 2,
      to: columnOffset(to, columnNameOf(one.target)) - HEAD_HEIGHT / 2,
    };
    const key = `${line.from},${line.to}`;
    if (lock?.columnEdges.has(edgeKey(one.source, one.target))) litLines.push(line);
    if (trail?.columnEdges.has(edgeKey(one.source, one.target))) trailLines.push(line);
    if (seen.has(key)) continue;
    seen.add(key);
    lines.push(line);
  }
  return { lines, litLines, trailLines };
}

function sceneEdges(input: SceneInput, standIn: Map<string, string>, pairs: Map<string, ColumnEdge[]>): SceneEdge[] {
  const edges = new Map<string, SceneEdge>();
  for (const edge of input.picture.edges) {
    const source = standIn.get(edge.source)!;
    const target = standIn.get(edge.target)!;
    const id = edgeKey(source, target);
    if (source === target || edges.has(id)) continue;
    const whole = source === edge.source && target === edge.target;
    edges.set(id, {
      id,
      source,
      target,
      edge: whole ? edge : null,
      data: {
        ...(whole ? linesOf(input, edge, pairs.get(id) ?? []) : NO_LINES),
        style: styleOf(edge, input.lock, input.trail),
        uncertain: edge.uncertain.map(input.explain).join('\n'),
        through: edge.through.join(', '),
      },
    });
  }
  for (const stack of input.picture.stacks) {
    const anchor = standIn.get(stack.anchor);
    if (!anchor) continue;
    const [source, target] = stack.side === 'up' ? [stack.id, anchor] : [anchor, stack.id];
    const data = { ...NO_LINES, style: `stacked${input.lock ? ' dim' : ''}`, uncertain: '', through: '' };
    edges.set(edgeKey(source, target), { id: edgeKey(source, target), source, target, edge: null, data });
  }
  return [...edges.values()];
}

const asStrong = ['trail', 'lit', 'current', 'superseded', 'retired'];

// Of the edges that a line to or from a statement stands for, the one that says most.
function strongest(styles: string[]): string {
  const rank = (style: string) => asStrong.findIndex((word) => style.split(' ').includes(word));
  return [...styles].sort((a, b) => rank(a) - rank(b))[0] ?? '';
}

// Edges whose statements are nodes lead through these. Edges between open columns stay: they say more.
function throughProcesses(edges: SceneEdge[], nodes: ProcessNode[], explain: SceneInput['explain']): SceneEdge[] {
  const known = new Map(edges.map((edge) => [edge.id, edge]));
  const replaced = new Set<string>();
  const parts: SceneEdge[] = [];
  for (const node of nodes) {
    const pairs = node.sources.flatMap((source) => node.targets.map((target) => known.get(edgeKey(source, target)))).filter((edge) => edge !== undefined && edge.data.lines.length === 0);
    if (pairs.length === 0) continue;
    const part = (source: string, target: string, of: SceneEdge[]): SceneEdge => ({
      id: edgeKey(source, target),
      source,
      target,
      edge: of[0]!.edge,
      statement: node.process.fingerprint,
      data: { ...NO_LINES, style: strongest(of.map((edge) => edge.data.style)), uncertain: '', through: '' },
    });
    for (const pair of pairs) replaced.add(pair!.id);
    for (const source of new Set(pairs.map((pair) => pair!.source))) parts.push(part(source, node.id, pairs.filter((pair) => pair!.source === source) as SceneEdge[]));
    for (const target of new Set(pairs.map((pair) => pair!.target))) {
      const into = part(node.id, target, pairs.filter((pair) => pair!.target === target) as SceneEdge[]);
      const reasons = into.edge?.uncertain ?? [];
      parts.push({ ...into, data: { ...into.data, uncertain: reasons.map(explain).join('\n') } });
    }
  }
  return [...edges.filter((edge) => !replaced.has(edge.id)), ...parts];
}

export function sceneOf(input: SceneInput, pairs: Map<string, ColumnEdge[]>): Scene {
  const { picture, graph, columns } = input;
  const standIn = standIns(input);
  const drawn = drawnNeighbours(input);
  const palette = paletteOf(
    input.view.lens,
    picture.tables.map((id) => graph.tables.get(id)!.dataset),
    input.keepings,
  );
  const cards = new Map<string, TableCardData>();
  const closed: Scene['closed'] = new Map();
  const items = new Map<string, PlacedItem>();
  for (const id of picture.tables) {
    const level = picture.levels.get(id) ?? 0;
    const group = groupOfTable(input, id);
    const stand = standIn.get(id)!;
    if (stand === id) {
      cards.set(id, cardData(input, id, drawn, palette));
      items.set(id, { id, level, group, height: cardHeight(columns.open.get(id)) });
    } else {
      closed.set(stand, { name: group, count: (closed.get(stand)?.count ?? 0) + 1 });
      items.set(stand, { id: stand, level, group, height: HEAD_HEIGHT });
    }
  }
  const stacks = new Map(picture.stacks.map((stack) => [stack.id, stack]));
  for (const stack of picture.stacks)
    items.set(stack.id, { id: stack.id, level: picture.levels.get(stack.id) ?? 0, group: groupOfStack(input, stack), height: HEAD_HEIGHT });
  const edges = sceneEdges(input, standIn, pairs);
  const drawnPairs = new Set(edges.filter((edge) => edge.edge !== null && edge.data.lines.length === 0).map((edge) => edge.id));
  const processes = processNodes(input.processes, new Set(cards.keys()), drawnPairs);
  return {
    cards,
    stacks,
    closed,
    processes: new Map(processes.map((node) => [node.id, node])),
    items: [...items.values()],
    edges: throughProcesses(edges, processes, input.explain),
    links: edges,
  };
}

export interface Frame extends Box {
  name: string;
  count: number;
}

// A frame around the tables of one group in one column.
export function framesOf(items: PlacedItem[], places: Map<string, Point>): Frame[] {
  const groups = new Map<string, PlacedItem[]>();
  for (const item of items) {
    if (item.group === UNGROUPED || item.id.startsWith('group\n')) continue;
    const key = closedId(item.level, item.group);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups].map(([id, members]) => {
    const boxes = members.map((item) => ({ id: item.id, ...places.get(item.id)!, width: CARD_WIDTH, height: item.height }));
    const box = boundsOf(boxes);
    return {
      id: `frame\n${id}`,
      name: members[0]!.group,
      count: members.filter((item) => !item.id.startsWith('stack\n')).length,
      x: box.x - 14,
      y: box.y - 32,
      width: box.width + 28,
      height: box.height + 44,
    };
  });
}

