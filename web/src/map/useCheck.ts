// The checks of the table that a view asks about, the one that is picked, and the trail of its bad data.
import { useMemo } from 'react';
import { get, type ApiError } from '../api/client';
import type { Check, ColumnGraph, Edge, Page } from '../api/types';
import { useLoad, useQuery } from '../api/use';
import { trailOf, type Lock } from '../state/lock';
import { columnIdOf, idOf, nameOf, namespaceOf } from '../state/names';
import type { CheckRef, View } from '../state/view';

const MOST_CHECKS = 200; // of a table; the worst come first
const TRACE_DEPTH = 100;

export interface CheckList {
  items: Check[] | undefined; // undefined: not known yet
  picked: Check | undefined;
  error: ApiError | undefined;
  slow: boolean;
  again: () => void;
}

// Without a pick the first, which is the worst.
export function pickedOf(items: Check[], picked: CheckRef['picked']): Check | undefined {
  return picked ? items.find((one) => one.column === picked.column && one.check === picked.check) : items[0];
}

export const isBad = (check: Check | undefined): check is Check => check !== undefined && check.status !== 'pass';

export function useChecks(table: string | null, picked: CheckRef['picked']): CheckList {
  const list = useQuery<Page<Check>>(table === null ? null : '/checks', table === null ? {} : { name: nameOf(table), namespace: namespaceOf(table), limit: MOST_CHECKS });
  const items = table !== null && list.data?.items.every((one) => one.dataset === table) ? list.data.items : undefined;
  return { items, picked: items && pickedOf(items, picked), error: list.error, slow: list.slow, again: list.again };
}

export interface TrailedCheck extends CheckList {
  trail: Lock | null;
}

export function useCheck(view: View, namespace: string, edges: Edge[]): TrailedCheck {
  const table = view.check && namespace ? idOf(namespace, view.check.table) : null;
  const checks = useChecks(table, view.check?.picked ?? null);
  const bad = isBad(checks.picked) ? checks.picked : null;
  const query = bad?.column ? { name: bad.table, namespace: bad.namespace, column: bad.column, direction: 'down', depth: TRACE_DEPTH, indirect: view.indirect, without_hubs: view.indirect && !view.hubs, as_of: view.asOf } : null;
  const trace = useLoad<ColumnGraph>(query && JSON.stringify(query), (signal) => get<ColumnGraph>('/column-graph', query!, signal));
  // A column that no statement names is looked for in vain: then the table's own edges are the trail.
  const unknown = trace.error?.problem.status === 404;
  const trail = useMemo(() => {
    if (!bad || table === null) return null;
    if (!bad.column || unknown) return trailOf(table, edges, []);
    const start = columnIdOf(table, bad.column);
    return trace.data?.focus === start ? trailOf(start, edges, trace.data.edges) : null;
  }, [bad, table, edges, trace.data, unknown]);
  return { ...checks, error: checks.error ?? (unknown ? undefined : trace.error), again: checks.error ? checks.again : trace.again, trail };
}
