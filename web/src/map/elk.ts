// The first layout of a picture, by elkjs in a worker of its own. Tables are laid out, not columns: that is fast, and
// opening columns moves nothing sideways.
import ELK, { type ElkNode } from 'elkjs/lib/elk-api.js';
import workerUrl from 'elkjs/lib/elk-worker.min.js?url';
import { CARD_WIDTH, LEVEL_GAP, SIBLING_GAP, type Point } from './geometry';
import type { Item, Link } from './place';

const OPTIONS = {
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.edgeRouting': 'POLYLINE',
  'elk.layered.thoroughness': '1',
  'elk.layered.considerModelOrder.strategy': 'PREFER_NODES', // hottest first, stacks last, where that crosses nothing
  'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF',
  'elk.layered.spacing.nodeNodeBetweenLayers': String(LEVEL_GAP),
  'elk.spacing.nodeNode': String(SIBLING_GAP),
  'elk.separateConnectedComponents': 'false',
};

let elk: InstanceType<typeof ELK> | undefined;

// Reading the worker's file takes a while: it begins when the page does, while the first answers are on their way.
export function startLayouts(): void {
  elk ??= new ELK({ workerFactory: () => new Worker(workerUrl) });
}

export interface Laid {
  places: Map<string, Point>;
  bends: Map<string, Point[]>; // of lines that are led around cards, by `source\ntarget`
}

export async function layOut(items: Item[], links: Link[]): Promise<Laid> {
  startLayouts();
  const graph: ElkNode = {
    id: 'root',
    layoutOptions: OPTIONS,
    children: items.map((item) => ({ id: item.id, width: CARD_WIDTH, height: item.height })),
    edges: links.map((link, index) => ({ id: `e${index}`, sources: [link.source], targets: [link.target] })),
  };
  const done = await elk!.layout(graph);
  const bends = new Map<string, Point[]>();
  for (const edge of done.edges ?? []) {
    const points = edge.sections?.[0]?.bendPoints ?? [];
    if (points.length > 0) bends.set(`${edge.sources[0]}\n${edge.targets[0]}`, points);
  }
  return { places: new Map((done.children ?? []).map((child) => [child.id, { x: child.x ?? 0, y: child.y ?? 0 }])), bends };
}
