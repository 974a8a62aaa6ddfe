// Loads the hops that a view has open, and keeps what it loaded: going back to a switch's other side asks for nothing.
// While a new answer is on its way the last graph stays.
import { useEffect, useMemo, useRef, useState } from 'react';
import { get, type ApiError, type Query } from '../api/client';
import type { Dataset, GraphAnswer } from '../api/types';
import { asApiError } from '../api/use';
import { emptyGraph, hopKey, withAnswer, type Graph } from '../state/graph';
import { idOf, namespaceOf } from '../state/names';
import type { Side, View } from '../state/view';

const HOP_LIMIT = 100; // datasets of one hop in the first answer
const MORE_LIMIT = 1000; // and in each after it
const WHOLE_LIMIT = 300;
const MOST_LOOSE = 100;
const PROGRESS_AFTER_MS = 300;

interface Request {
  key: string;
  sides: Side[];
  depth: number;
  path: string;
  query: Query;
}

// What an answer depends on besides its table.
function conditionsOf(view: View): Query {
  const common = { indirect: view.indirect, without_hubs: view.indirect && !view.hubs, temporary: view.temporary };
  return view.diff ? { ...common, from: view.diff.from, to: view.diff.to } : { ...common, offline: view.offline, as_of: view.asOf };
}

// `sides`: the hops that the answer opens; none where only the table and its edges are wanted.
function requestOf(view: View, table: string, sides: Side[], depth: number, cursor?: string): Request {
  const [namespace, ...name] = table.includes('#') ? table.split('#') : [view.namespace, table];
  const query: Query = {
    ...conditionsOf(view),
    name: name.join('#'),
    namespace,
    direction: sides.length === 1 ? sides[0] : 'both',
    depth,
    limit: cursor ? MORE_LIMIT : depth > 1 ? WHOLE_LIMIT : HOP_LIMIT * Math.max(1, sides.length),
    cursor,
  };
  const path = view.diff ? '/diff' : '/graph';
  return { key: path + JSON.stringify(query) + sides.length, sides, depth, path, query };
}

function requestsOf(view: View): Request[] {
  if (!view.focus) return [];
  return [
    // Both ways at once: an answer has the edges between any two of its tables, from a source to a consumer, too.
    requestOf(view, view.focus, ['up', 'down'], view.depth),
    ...view.up.map((table) => requestOf(view, table, ['up'], 1)),
    ...view.down.map((table) => requestOf(view, table, ['down'], 1)),
  ];
}

export interface Lineage {
  graph: Graph;
  focus: Dataset | null;
  namespace: string;
  loading: boolean; // the picture is not complete yet
  slow: boolean; // and has been for long enough to say so
  errors: { key: string; what: string; error: ApiError }[];
  again: () => void;
  loadMore: (table: string, side: Side) => void; // the next page of a hop; takes an id
}

// Both hops of a table mostly fail for one reason: it is said once.
function failedTables(requests: Request[], failures: Map<string, ApiError>): Lineage['errors'] {
  const failed = requests.filter((request) => failures.has(request.key));
  const first = failed.filter((request, index) => failed.findIndex((other) => other.query.name === request.query.name) === index);
  return first.map((request) => ({ key: request.key, what: String(request.query.name), error: failures.get(request.key)! }));
}

export function useLineage(view: View): Lineage {
  const answers = useRef(new Map<string, GraphAnswer>());
  const failures = useRef(new Map<string, ApiError>());
  const asked = useRef(new Set<string>());
  const [pages, setPages] = useState<Request[]>([]);
  const [version, setVersion] = useState(0);
  const [slow, setSlow] = useState(false);
  const last = useRef<Graph>(emptyGraph());
  const lastFocus = useRef('');
  const lastNamespace = useRef({ table: '', namespace: '' });

  const requests = requestsOf(view);
  const known = answers.current.get(requests[0]?.key ?? '');
  // A switch asks anew; until the answer is there the table is still the one that it was.
  const table = `${view.namespace}#${view.focus}`;
  if (known) lastNamespace.current = { table, namespace: namespaceOf(known.focus) };
  const namespace = lastNamespace.current.table === table ? lastNamespace.current.namespace : view.namespace;
  const key = JSON.stringify(requests.map((request) => request.key));

  // Tables that were picked, or lie on a traced path, and that no open hop led to are asked for by themselves.
  const hopsKnown = requests.every((request) => answers.current.has(request.key) || failures.current.has(request.key));
  const reached = new Set([...requests, ...pages].flatMap((request) => answers.current.get(request.key)?.nodes.map((node) => node.dataset.id) ?? []));
  const loose = hopsKnown
    ? view.shown
        .filter((name) => !reached.has(idOf(namespace, name)))
        .slice(0, MOST_LOOSE)
        .map((name) => requestOf(view, name, [], 1))
    : [];
  const looseKey = JSON.stringify(loose.map((request) => request.key));

  useEffect(() => {
    for (const request of [...requests, ...pages, ...loose]) {
      if (asked.current.has(request.key)) continue;
      asked.current.add(request.key);
      get<GraphAnswer>(request.path, request.query)
        .then((answer) => answers.current.set(request.key, answer))
        .catch((reason: unknown) => failures.current.set(request.key, asApiError(reason, request.path)))
        .finally(() => setVersion((n) => n + 1));
    }
  }, [key, looseKey, pages, version]); // eslint-disable-line -- requests follow from the keys

  const open = requests.filter((request) => !answers.current.has(request.key) && !failures.current.has(request.key));
  const loading = open.length > 0;
  useEffect(() => {
    setSlow(false);
    if (!loading) return;
    const timer = setTimeout(() => setSlow(true), PROGRESS_AFTER_MS);
    return () => clearTimeout(timer);
  }, [loading]);

  const graph = useMemo(() => {
    let next = emptyGraph();
    let some = false;
    for (const request of [...requests, ...pages, ...loose]) {
      const answer = answers.current.get(request.key);
      if (!answer) continue;
      some ||= request === requests[0];
      next = withAnswer(next, request.sides, request.depth, answer);
    }
    const sameTable = lastFocus.current === table;
    if ((!some || loading) && sameTable && last.current.tables.size > next.tables.size) return last.current;
    return next;
  }, [key, looseKey, pages, version]); // eslint-disable-line

  useEffect(() => {
    last.current = graph;
    lastFocus.current = table;
  }, [graph, table]);

  return {
    graph,
    focus: graph.tables.get(idOf(namespace, view.focus))?.dataset ?? graph.tables.get(known?.focus ?? '')?.dataset ?? null,
    namespace,
    loading,
    slow: loading && slow,
    errors: failedTables(requests, failures.current),
    again: () => {
      for (const name of failures.current.keys()) asked.current.delete(name);
      failures.current.clear();
      setVersion((n) => n + 1);
    },
    loadMore: (table, side) => {
      const cursor = graph.hops.get(hopKey(table, side))?.next;
      if (cursor) setPages((list) => [...list, requestOf(view, table, [side], 1, cursor)]);
    },
  };
}
