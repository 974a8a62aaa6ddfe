// The columns of cards that are open, the edges between them, and the traces of locked columns.
import { useEffect, useMemo, useRef, useState } from 'react';
import { get, type ApiError } from '../api/client';
import type { Column, ColumnEdge, ColumnGraph, CountedDataset, Page } from '../api/types';
import { asApiError, useLoad } from '../api/use';
import { columnNameOf, tableIdOf } from '../state/names';
import type { View } from '../state/view';
import type { OpenCard } from './geometry';

const FIRST_ROWS = 14;
const MORE_ROWS = 30;
const MOST_USED_ROWS = 30; // of a card, where all are open
const MOST_TABLES = 200; // of one question for edges
const TRACE_DEPTH = 100;

export interface CardState {
  query: string;
  rows: number;
}

export interface OpenColumns {
  open: Map<string, OpenCard>; // by table id
  columns: Map<string, Column[]>; // loaded ones, by table id
  edges: ColumnEdge[];
  traces: ColumnGraph[];
  hubEdges: number; // conditions over hubs that were left out
  loading: boolean;
  error: { what: 'columns' | 'column_edges' | 'trace'; error: ApiError } | null; // the first thing that failed
  again: () => void;
  pending: boolean; // all cards are to be open, and it is not known yet how high they are
  search: (table: string, query: string) => void;
  more: (table: string) => void;
  states: Map<string, CardState>;
}

interface ColumnPages {
  known: Map<string, Column[]>;
  error: ApiError | null;
  again: () => void;
}

function useColumnPages(tables: CountedDataset[], states: Map<string, CardState>, offline: boolean): ColumnPages {
  const answers = useRef(new Map<string, Column[]>());
  const asked = useRef(new Set<string>());
  const [version, setVersion] = useState(0);
  const [turn, setTurn] = useState(0);
  const [error, setError] = useState<ApiError | null>(null);
  const wanted = tables.map((table) => {
    const state = states.get(table.id);
    const query = { name: table.name, namespace: table.namespace, q: state?.query, limit: state?.rows ?? FIRST_ROWS, offline };
    return { id: table.id, query, key: JSON.stringify(query) };
  });
  const key = JSON.stringify(wanted.map((one) => one.key));
  useEffect(() => {
    for (const one of wanted) {
      if (asked.current.has(one.key)) continue;
      asked.current.add(one.key);
      get<Page<Column>>('/columns', one.query)
        .then((page) => answers.current.set(one.key, page.items))
        .catch((reason: unknown) => {
          asked.current.delete(one.key);
          setError(asApiError(reason, '/columns'));
        })
        .finally(() => setVersion((n) => n + 1));
    }
  }, [key, turn]); // eslint-disable-line -- wanted follows from the key
  const known = useMemo(() => {
    const found = new Map<string, Column[]>();
    for (const one of wanted) {
      const columns = answers.current.get(one.key);
      if (columns) found.set(one.id, columns);
    }
    return found;
  }, [key, version]); // eslint-disable-line
  const again = () => {
    setError(null);
    setTurn((n) => n + 1);
  };
  return { known, error, again };
}

// With all cards open their rows are the columns that take part in what is drawn.
function rowsOfEdges(graph: ColumnGraph | undefined): Map<string, string[]> {
  const rows = new Map<string, Set<string>>();
  for (const node of graph?.nodes ?? []) {
    if (node.column === null) continue;
    if (!rows.has(node.dataset)) rows.set(node.dataset, new Set());
    rows.get(node.dataset)!.add(node.column);
  }
  return new Map([...rows].map(([id, names]) => [id, [...names].sort()]));
}

export function useColumns(view: View, drawn: CountedDataset[], pinned: string[]): OpenColumns {
  const [states, setStates] = useState(new Map<string, CardState>());
  const all = view.columns.includes('*');
  const isOpen = (table: CountedDataset) => view.columns.includes(table.name) || view.columns.includes(table.id);
  const opened = drawn.filter(isOpen);
  const pages = useColumnPages(opened, states, view.offline);
  const columns = pages.known;

  const ids = (all ? drawn : opened).map((table) => table.id).slice(0, MOST_TABLES);
  const query = { indirect: view.indirect, without_hubs: view.indirect && !view.hubs, as_of: view.asOf };
  const edges = useLoad<ColumnGraph>(ids.length > 1 || (all && ids.length > 0) ? JSON.stringify([ids, query]) : null, (signal) =>
    get<ColumnGraph>('/column-edges', { ...query, table: ids, limit: 20000 }, signal),
  );
  const traces = useLoad<ColumnGraph[]>(pinned.length > 0 ? JSON.stringify([pinned, query]) : null, (signal) =>
    Promise.all(
      pinned.map((id) => {
        const [namespace, name, column] = id.split('#');
        return get<ColumnGraph>('/column-graph', { ...query, namespace, name, column, direction: 'both', depth: TRACE_DEPTH }, signal);
      }),
    ),
  );

  const open = useMemo(() => {
    const cards = new Map<string, OpenCard>();
    const used = all ? rowsOfEdges(edges.data) : new Map<string, string[]>();
    for (const table of drawn) {
      const list = columns.get(table.id);
      const rows = list && isOpen(table) ? list.map((column) => column.name) : all ? (used.get(table.id) ?? []).slice(0, Math.max(MOST_USED_ROWS, states.get(table.id)?.rows ?? 0)) : isOpen(table) ? [] : null;
      if (rows) cards.set(table.id, { rows, hidden: states.get(table.id)?.query ? 0 : Math.max(0, table.column_count - rows.length) });
    }
    return cards;
  }, [drawn, columns, edges.data, view.columns.join('\n'), states]); // eslint-disable-line

  const joined = useMemo(() => {
    const merged = new Map<string, ColumnEdge>();
    for (const graph of [...(traces.data ?? []), ...(edges.data ? [edges.data] : [])])
      for (const edge of graph.edges) merged.set(`${edge.source}\n${edge.target}`, edge);
    return [...merged.values()];
  }, [edges.data, traces.data]);

  const change = (table: string, next: Partial<CardState>) =>
    setStates((map) => new Map(map).set(table, { ...(map.get(table) ?? { query: '', rows: FIRST_ROWS }), ...next }));
  return {
    open,
    columns,
    edges: joined,
    traces: traces.data ?? [],
    hubEdges: [...(traces.data ?? []), ...(edges.data ? [edges.data] : [])].reduce((sum, one) => sum + one.hub_edges, 0),
    error: pages.error
      ? { what: 'columns', error: pages.error }
      : edges.error
        ? { what: 'column_edges', error: edges.error }
        : traces.error
          ? { what: 'trace', error: traces.error }
          : null,
    again: pages.error ? pages.again : edges.error ? edges.again : traces.again,
    loading: edges.slow || traces.slow,
    pending: all && drawn.length > 0 && !edges.data && !edges.error,
    search: (table, text) => change(table, { query: text }),
    more: (table) => change(table, { rows: (states.get(table)?.rows ?? FIRST_ROWS) + MORE_ROWS }),
    states,
  };
}

// Column edges by the pair of tables that they lead between.
export function edgesByPair(edges: ColumnEdge[]): Map<string, ColumnEdge[]> {
  const pairs = new Map<string, ColumnEdge[]>();
  for (const edge of edges) {
    const key = `${tableIdOf(edge.source)}\n${tableIdOf(edge.target)}`;
    const list = pairs.get(key);
    if (list) list.push(edge);
    else pairs.set(key, [edge]);
  }
  return pairs;
}

export const columnOf = columnNameOf;
