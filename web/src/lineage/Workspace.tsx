// The lineage of one table: toolbar, picture, list and panels over one view, which stands in the address.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HopCount } from '../api/types';
import type { MapActions } from '../map/actions';
import { LineageMap } from '../map/LineageMap';
import { sceneOf } from '../map/scene';
import { useCheck } from '../map/useCheck';
import { edgesByPair, useColumns } from '../map/useColumns';
import { useKeepings } from '../map/useKeepings';
import { useLayout } from '../map/useLayout';
import { useLineage } from '../map/useLineage';
import { useOfTables } from '../map/useOfTables';
import { useProcesses } from '../map/useProcesses';
import { CheckPanel } from '../panels/CheckPanel';
import { EdgePanel } from '../panels/EdgePanel';
import { PathPanel } from '../panels/PathPanel';
import { ListView } from '../list/ListView';
import { lockOf } from '../state/lock';
import { columnIdOf, idOf, shortOf } from '../state/names';
import { pictureOf } from '../state/visible';
import { focusedOn, toggled, withPin, withToggledHop, type View } from '../state/view';
import { Failure, Progress } from '../ui/parts';
import { useReason } from '../ui/reasons';
import { HelpDialog } from './HelpDialog';
import { Legend } from './Legend';
import { Notices } from './Notices';
import { StackDialog } from './StackDialog';
import { Toolbar } from './Toolbar';

export interface WorkspaceProps {
  view: View;
  setView: (view: View, how?: 'push' | 'replace') => void;
}

const MOST_FAILURES = 3;

// `now` moves in steps of a minute, so that pictures do not change under a person's eyes.
const thisMinute = (): number => Math.floor(Date.now() / 60_000) * 60_000;

export function Workspace({ view, setView }: WorkspaceProps) {
  const { t, i18n } = useTranslation();
  const lineage = useLineage(view);
  const { graph, namespace } = lineage;
  const focus = lineage.focus?.id ?? '';
  const [stack, setStack] = useState<string | null>(null);
  const [help, setHelp] = useState(false);
  const [room, setRoom] = useState<HTMLDivElement | null>(null);
  const [now] = useState(thisMinute);
  const id = useCallback((name: string) => idOf(namespace, name), [namespace]);
  const short = useCallback((one: string) => shortOf(namespace, one), [namespace]);

  const switches = JSON.stringify([view.up, view.down, view.closed, view.shown, view.offline, view.asOf, view.diff, view.indirect, view.hubs, view.temporary, view.depth]);
  const picture = useMemo(
    () =>
      pictureOf(graph, {
        focus,
        depth: view.depth,
        closed: view.closed as ('up' | 'down')[],
        hops: [
          ...view.up.map((name) => ({ table: id(name), side: 'up' as const })),
          ...view.down.map((name) => ({ table: id(name), side: 'down' as const })),
        ],
        shown: view.shown.map(id),
        offline: view.offline || view.asOf !== '' || view.diff !== null,
        indirect: view.indirect,
        temporary: view.temporary,
      }),
    [graph, focus, switches, id], // eslint-disable-line -- `switches` stands for the view's parts
  );
  const drawn = useMemo(() => picture.tables.map((one) => graph.tables.get(one)!.dataset), [picture, graph]);

  const pins = useMemo(
    () => view.pins.map((pin) => (pin.column === null ? id(pin.table) : columnIdOf(id(pin.table), pin.column))),
    [JSON.stringify(view.pins), id], // eslint-disable-line
  );
  const pinnedColumns = useMemo(() => pins.filter((pin) => pin.split('#').length === 3), [pins]);
  const columns = useColumns(view, drawn, pinnedColumns);
  const keepings = useKeepings(picture.tables);
  const hops = useOfTables<HopCount>('/hop-counts', picture.tables);
  const processes = useProcesses(view, picture.tables);
  const lock = useMemo(() => lockOf(pins, picture.edges, columns.edges), [pins, picture, columns.edges]);
  const check = useCheck(view, namespace, picture.edges);
  const { trail } = check;
  const pairs = useMemo(() => edgesByPair(columns.edges), [columns.edges]);
  const appearance = JSON.stringify([view.pins, view.columns, view.lens, view.group, view.shut, view.up, view.down, view.closed, i18n.language]);
  const explain = useReason();
  const scene = useMemo(
    () => sceneOf({ view, namespace, focus, graph, picture, columns, lock, trail, processes: processes.items, keepings, hops, explain, now }, pairs),
    [graph, picture, columns.open, columns.columns, columns.states, lock, trail, pairs, processes.items, keepings, hops, appearance], // eslint-disable-line
  );
  const waiting = (lineage.loading && graph.tables.size === 0) || columns.pending;
  const layout = useLayout(focus, scene.items, scene.links, !lineage.loading && !waiting && focus !== '', view.group !== '');

  // Cards get the same actions for ever, so that moving the view, which stands in the address, draws none of them anew.
  const latest = useRef({ view, setView, short, focus, columns });
  latest.current = { view, setView, short, focus, columns };
  const actions = useMemo<MapActions>(() => {
    const change = (next: (view: View, short: (id: string) => string) => View) =>
      latest.current.setView(next(latest.current.view, latest.current.short));
    return {
      toggleHop: (one, side) => change((v, name) => withToggledHop(v, one === latest.current.focus ? v.focus : name(one), side)),
      toggleColumns: (one) => change((v, name) => ({ ...v, columns: toggled(v.columns.filter((c) => c !== '*'), name(one)) })),
      pin: (one, column, add) => change((v, name) => ({ ...v, pins: withPin(v.pins, { table: name(one), column }, add) })),
      focus: (one) => change((v, name) => focusedOn(v, name(one))),
      openStack: setStack,
      openEdge: (source, target, statement) =>
        change((v, name) => ({ ...v, edge: { source: name(source), target: name(target), ...(statement ? { statement } : {}) } })),
      searchColumns: (one, text) => latest.current.columns.search(one, text),
      moreColumns: (one) => latest.current.columns.more(one),
      toggleGroup: (group) => change((v) => ({ ...v, shut: toggled(v.shut, group) })),
      openChecks: (one) => change((v, name) => ({ ...v, edge: null, check: { table: name(one), picked: null } })),
    };
  }, []);

  const release = useCallback((): boolean => {
    if (view.edge) setView({ ...view, edge: null });
    else if (view.check) setView({ ...view, check: null });
    else if (view.pins.length > 0) setView({ ...view, pins: [] });
    else return false;
    return true;
  }, [view, setView]);

  const onKey = (key: string, card: string | null): boolean => {
    if (key === 'Escape') return release();
    if (key === '?') setHelp(true);
    else if (key === 'i') setView({ ...view, indirect: !view.indirect });
    else if (key === 's') setView({ ...view, statements: !view.statements });
    else if (key === 'l') setView({ ...view, mode: view.mode === 'graph' ? 'both' : 'graph' });
    else if (card === null) return false;
    else if (scene.processes.has(card)) {
      const { process, sources, targets } = scene.processes.get(card)!;
      if (key !== 'Enter' && key !== ' ') return false;
      actions.openEdge(sources[0]!, targets[0]!, process.fingerprint);
    } else if (scene.stacks.has(card) && (key === 'Enter' || key === 'e')) setStack(card);
    else if (key === 'Enter' || key === ' ') actions.pin(card, null, false);
    else if (key === 'e') expand(card);
    else if (key === 'c') actions.toggleColumns(card);
    else if (key === 'f') actions.focus(card);
    else if (key === 'q' && scene.cards.get(card)?.dataset.quality) actions.openChecks(card);
    else return false;
    return true;
  };

  // `e` opens what is closed of a card's hops; when both are open it closes them.
  const expand = (card: string) => {
    const data = scene.cards.get(card);
    if (!data) return;
    const canOpen = (['up', 'down'] as const).filter((side) => (side === 'up' ? !data.upOpen && data.upHidden > 0 : !data.downOpen && data.downHidden > 0));
    const sides = canOpen.length > 0 ? canOpen : (['up', 'down'] as const).filter((side) => (side === 'up' ? data.upOpen : data.downOpen));
    setView(sides.reduce((next, side) => withToggledHop(next, card === focus ? view.focus : short(card), side), view));
  };

  useEffect(() => {
    const onEscape = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('[role=dialog]')) release();
      if (event.key === '?' && !(event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement)) setHelp(true);
    };
    window.addEventListener('keydown', onEscape);
    return () => window.removeEventListener('keydown', onEscape);
  }, [release]);

  const opened = stack ? scene.stacks.get(stack) : undefined;
  const showGraph = view.mode !== 'list';
  return (
    <div className="workspace">
      <Toolbar view={view} setView={setView} scene={scene} places={layout.places} tidy={layout.tidy} help={() => setHelp(true)} />
      <div className={`workspace-body mode-${view.mode}`}>
        {showGraph && (
          <div className="workspace-graph" ref={setRoom}>
            <div className="failures">
              {check.error && <Failure what={t('error.trail')} error={check.error} again={check.again} />}
              {columns.error && <Failure what={t(`error.${columns.error.what}`)} error={columns.error.error} again={columns.again} />}
              {processes.error && <Failure what={t('error.statements')} error={processes.error} again={processes.again} />}
              {lineage.errors.slice(0, MOST_FAILURES).map((one) => (
                <Failure key={one.key} what={t('error.lineage_of', { name: one.what })} error={one.error} again={lineage.again} />
              ))}
            </div>
            {(lineage.slow || columns.loading || processes.slow) && <Progress what={t('map.loading')} />}
            {room && layout.places && focus && (
              <LineageMap
                key={focus}
                focus={focus}
                scene={scene}
                places={layout.places}
                bends={layout.bends}
                grouped={view.group !== ''}
                viewport={view.viewport}
                width={room.clientWidth}
                height={room.clientHeight}
                actions={actions}
                onViewport={(viewport) => setView({ ...view, viewport }, 'replace')}
                onKey={onKey}
                onClear={release}
              />
            )}
            <Notices view={view} setView={setView} lineage={lineage} picture={picture} hubEdges={graph.hubEdges + columns.hubEdges} traces={columns.traces} short={short} />
            <Legend view={view} datasets={drawn} keepings={keepings} trail={trail !== null} now={now} />
          </div>
        )}
        {view.mode !== 'graph' && <ListView view={view} setView={setView} namespace={namespace} lock={lock} now={now} />}
        {view.edge && <EdgePanel source={id(view.edge.source)} target={id(view.edge.target)} statement={view.edge.statement} pins={pinnedColumns} close={() => setView({ ...view, edge: null })} />}
        {!view.edge && view.check && (
          <CheckPanel table={id(view.check.table)} checks={check} pick={(picked) => setView({ ...view, check: { table: view.check!.table, picked } })} close={() => setView({ ...view, check: null })} />
        )}
        {!view.edge && !view.check && pins.length === 2 && <PathPanel pins={pins} close={() => setView({ ...view, pins: [] })} />}
      </div>
      {opened && (
        <StackDialog
          stack={opened}
          graph={graph}
          shown={view.shown.map(id)}
          toggle={(one) => setView({ ...view, shown: toggled(view.shown, short(one)) })}
          more={() => lineage.loadMore(opened.anchor, opened.side)}
          close={() => setStack(null)}
        />
      )}
      {help && <HelpDialog close={() => setHelp(false)} />}
    </div>
  );
}
