// The picture: React Flow over the scene and its layout. It never moves the view by itself once it stands, but for a
// card that is reached by the keyboard and lies outside.
import { ReactFlow, ReactFlowProvider, useReactFlow, useStore, type Edge, type Node } from '@xyflow/react';
import { useCallback, useMemo, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FarContext, MapActionsContext, type MapActions } from './actions';
import { Controls } from './Controls';
import { CARD_WIDTH, FAR_ZOOM, HEAD_HEIGHT, viewportFor, type Box, type Point } from './geometry';
import { LineageEdge } from './LineageEdge';
import { ProcessCard } from './ProcessCard';
import { placeProcesses, PROCESS_HEIGHT, PROCESS_WIDTH } from './processes';
import { framesOf, type Scene } from './scene';
import { Group, StackCard } from './StackCard';
import { TableCard } from './TableCard';
import { nextCard, type Arrow } from './walk';

const NODE_TYPES = { table: TableCard, stack: StackCard, frame: Group, process: ProcessCard };
const EDGE_TYPES = { lineage: LineageEdge };
const LEAST_FIRST_ZOOM = 0.6;
const OPTIONS = { hideAttribution: true };

// React Flow lets the pointer through what can be neither picked nor dragged.
const CLICKABLE = { pointerEvents: 'all' as const };

const handles = (width: number, height: number) => [
  { type: 'target' as const, position: 'left' as never, x: 0, y: height / 2, width: 0, height: 0 },
  { type: 'source' as const, position: 'right' as never, x: width, y: height / 2, width: 0, height: 0 },
];
const HANDLES = handles(CARD_WIDTH, HEAD_HEIGHT);
const PROCESS_HANDLES = handles(PROCESS_WIDTH, PROCESS_HEIGHT);

export interface LineageMapProps {
  focus: string;
  scene: Scene;
  places: Map<string, Point>;
  bends: Map<string, Point[]>;
  grouped: boolean;
  viewport: { x: number; y: number; zoom: number } | null;
  width: number; // of the room that the picture has at first
  height: number;
  actions: MapActions;
  onViewport: (viewport: { x: number; y: number; zoom: number }) => void;
  onKey: (key: string, card: string | null) => boolean; // whether it was of use
  onClear: () => void;
}

function sized(id: string, at: Point, width: number, height: number) {
  return { id, position: at, width, height, measured: { width, height }, handles: HANDLES, selectable: false, draggable: false, style: CLICKABLE };
}

// Objects that did not change stay the same, so that their cards are not drawn anew.
function useKept<T extends { id: string }>(list: T[]): T[] {
  const before = useRef(new Map<string, { text: string; item: T }>());
  return useMemo(() => {
    const next = new Map<string, { text: string; item: T }>();
    for (const item of list) {
      const text = JSON.stringify(item);
      const old = before.current.get(item.id);
      next.set(item.id, old?.text === text ? old : { text, item });
    }
    before.current = next;
    return [...next.values()].map((entry) => entry.item);
  }, [list]);
}

function Flow({ focus, scene, places, bends, grouped, viewport, width, height, onViewport, onKey, onClear, actions }: LineageMapProps) {
  const { t } = useTranslation();
  const flow = useReactFlow();
  const wrapper = useRef<HTMLDivElement>(null);
  const active = useRef<string>(focus);

  const boxes = useMemo<Box[]>(
    () => scene.items.filter((item) => places.has(item.id)).map((item) => ({ id: item.id, ...places.get(item.id)!, width: CARD_WIDTH, height: item.height })),
    [scene.items, places],
  );

  const marks = useMemo(() => placeProcesses([...scene.processes.values()], places), [scene.processes, places]);

  const nodes = useKept<Node>(
    useMemo(() => {
      const list: Node[] = [];
      if (grouped)
        for (const frame of framesOf(scene.items, places))
          list.push({
            ...sized(frame.id, frame, frame.width, frame.height),
            type: 'frame',
            zIndex: -1,
            focusable: false,
            className: 'frame',
            style: {},
            data: { name: frame.name, count: frame.count, shut: false },
          });
      for (const box of boxes) {
        const common = sized(box.id, { x: box.x, y: box.y }, box.width, box.height);
        const card = scene.cards.get(box.id);
        const stack = scene.stacks.get(box.id);
        const group = scene.closed.get(box.id);
        if (card) {
          const { dataset } = card;
          const ariaLabel = t('map.card', { name: dataset.name, up: dataset.up_count, down: dataset.down_count });
          list.push({ ...common, type: 'table', data: card, ariaLabel, zIndex: card.open ? 2 : 1 });
        } else if (stack)
          list.push({ ...common, type: 'stack', data: { stack: stack.id, database: stack.database, family: stack.family, count: stack.members.length + stack.left } });
        else if (group) list.push({ ...common, type: 'frame', data: { ...group, shut: true } });
      }
      for (const box of marks) {
        const { process, sources, targets } = scene.processes.get(box.id)!;
        const names = (ids: string[]) => ids.map((id) => scene.cards.get(id)?.dataset.name ?? '').join(', ');
        list.push({
          ...sized(box.id, { x: box.x, y: box.y }, box.width, box.height),
          handles: PROCESS_HANDLES,
          type: 'process',
          zIndex: 3,
          data: {
            opens: { source: sources[0]!, target: targets[0]!, statement: process.fingerprint },
            mode: process.mode ?? process.operation,
            runs: process.runs,
            evidence: process.evidence,
            about: t('map.process', { sources: names(sources), targets: names(targets) }),
            dim: scene.edges.some((edge) => edge.target === box.id && / dim( |$)/.test(edge.data.style)) && !scene.edges.some((edge) => edge.target === box.id && / lit( |$)/.test(edge.data.style)),
          },
        });
      }
      return list;
    }, [boxes, marks, scene, grouped, places, t]),
  );

  const edges = useKept<Edge>(
    useMemo(
      () =>
        scene.edges
          .filter((edge) => [edge.source, edge.target].every((id) => places.has(id) || scene.processes.has(id)))
          .map((edge) => ({
            id: edge.id,
            source: edge.source,
            target: edge.target,
            type: 'lineage',
            data: { ...edge.data, via: bends.get(edge.id) ?? [] },
            focusable: edge.edge !== null && !edge.statement,
            ariaLabel: edge.edge && !edge.statement
              ? t('map.edge', { source: scene.cards.get(edge.source)?.dataset.name, target: scene.cards.get(edge.target)?.dataset.name })
              : undefined,
          })),
      [scene.edges, scene.processes, places, bends, scene.cards, t],
    ),
  );

  const reveal = useCallback(
    (id: string) => {
      const box = [...boxes, ...marks].find((one) => one.id === id);
      const size = wrapper.current?.getBoundingClientRect();
      if (!box || !size) return;
      const { x, y, zoom } = flow.getViewport();
      const left = box.x * zoom + x;
      const top = box.y * zoom + y;
      const inside = left >= 0 && top >= 0 && left + box.width * zoom <= size.width && top + HEAD_HEIGHT * zoom <= size.height;
      if (!inside) void flow.setCenter(box.x + box.width / 2, box.y + HEAD_HEIGHT / 2, { zoom });
      active.current = id;
      requestAnimationFrame(() =>
        requestAnimationFrame(() => wrapper.current?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`)?.focus()),
      );
    },
    [boxes, marks, flow],
  );

  const open = (id: string) => {
    const edge = scene.edges.find((one) => one.id === id);
    if (edge?.edge) actions.openEdge(edge.edge.source, edge.edge.target, edge.statement);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
    const element = event.target as HTMLElement;
    const card = element.closest<HTMLElement>('.react-flow__node')?.dataset.id ?? null;
    const edge = element.closest<HTMLElement>('.react-flow__edge')?.dataset.id;
    if (edge && (event.key === 'Enter' || event.key === ' ')) {
      open(edge);
    } else if (event.key.startsWith('Arrow')) {
      const next = nextCard(card ?? active.current, event.key as Arrow, [...boxes, ...marks], scene.edges);
      if (next) reveal(card === null ? active.current : next);
    } else if (event.key === 'Enter' && element.tagName === 'BUTTON') return;
    else if (!onKey(event.key, card ?? null)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  // The address says where on the screen the focus stands: that holds in any layout of the same tables.
  const focusBox = boxes.find((box) => box.id === focus);
  const shift = (by: 1 | -1, at: { x: number; y: number; zoom: number }) => ({
    x: at.x + by * (focusBox?.x ?? 0) * at.zoom,
    y: at.y + by * (focusBox?.y ?? 0) * at.zoom,
    zoom: at.zoom,
  });
  const start = useRef(viewport ? shift(-1, viewport) : viewportFor(boxes, focusBox, width, height, LEAST_FIRST_ZOOM));

  return (
    <div className="map" ref={wrapper} onKeyDown={onKeyDown}>
      <Arrow />
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        defaultViewport={start.current}
        minZoom={0.05}
        maxZoom={2}
        onlyRenderVisibleElements
        nodesDraggable={false}
        nodesConnectable={false}
        elementsSelectable={false}
        nodesFocusable
        edgesFocusable
        disableKeyboardA11y
        zoomOnDoubleClick={false}
        deleteKeyCode={null}
        proOptions={OPTIONS}
        onEdgeClick={(_, edge) => open(edge.id)}
        onPaneClick={onClear}
        onMoveStart={() => wrapper.current?.classList.add('moving')}
        onMoveEnd={(_, now) => {
          wrapper.current?.classList.remove('moving');
          onViewport(shift(1, now));
        }}
        aria-label={t('map.title')}
      />
      <Controls boxes={boxes} focus={focus} room={() => ({ width: wrapper.current!.clientWidth, height: wrapper.current!.clientHeight })} />
    </div>
  );
}

function Arrow() {
  return (
    <svg className="defs" aria-hidden="true" width="0" height="0">
      <defs>
        <marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse">
          <path d="M0 0.8L8 4L0 7.2Z" fill="context-stroke" />
        </marker>
      </defs>
    </svg>
  );
}

// Cards and lines are drawn more simply from far away; only crossing the border draws them anew.
function WithDistance(props: LineageMapProps) {
  const far = useStore((state) => state.transform[2] < FAR_ZOOM);
  return (
    <FarContext.Provider value={far}>
      <Flow {...props} />
    </FarContext.Provider>
  );
}

export function LineageMap(props: LineageMapProps) {
  return (
    <ReactFlowProvider initialMinZoom={0.05} initialMaxZoom={2}>
      <MapActionsContext.Provider value={props.actions}>
        <WithDistance {...props} />
      </MapActionsContext.Provider>
    </ReactFlowProvider>
  );
}

