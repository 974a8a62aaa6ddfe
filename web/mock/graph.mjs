// Answers about the graph: tables and columns around one, edges, paths, impact.
import { DAY, NOW, columnId, tableId } from './model.mjs';

export const dayEnd = (day) => (day ? Date.parse(`${day}T23:59:59.999Z`) : NOW);
const truth = (text) => text === 'true';

// Days are what everything is filtered by here.
const isHub = (column) => column.endsWith('.dt');

function conditionSources(statement, hubs = true) {
  return statement.conditions.flatMap(([, from]) => from.filter((text) => hubs || !isHub(text)).map((text) => text.slice(0, text.lastIndexOf('.'))));
}

function directSources(statement) {
  return new Set(statement.maps.flatMap(([, from]) => from.map((text) => text.slice(0, text.lastIndexOf('.')))));
}

// Table edges at a moment; temporary tables spliced out unless asked for.
export function tableEdges(w, { moment = NOW, indirect = false, temporary = false, hubs = true } = {}) {
  const edges = new Map();
  const add = (source, target, kind, statement, through) => {
    const key = `${source}\n${target}`;
    const edge = edges.get(key) ?? { source, target, kind, statements: [], through };
    if (kind === 'direct') edge.kind = 'direct';
    if (!edge.statements.includes(statement)) edge.statements.push(statement);
    edges.set(key, edge);
  };
  for (const statement of w.at(moment)) {
    const direct = directSources(statement);
    for (const source of direct) add(source, statement.target, 'direct', statement, []);
    if (indirect) for (const source of conditionSources(statement, hubs)) if (!direct.has(source)) add(source, statement.target, 'indirect', statement, []);
  }
  if (temporary) return [...edges.values()];
  for (const name of [...w.tables.values()].filter((table) => table.temporary).map((table) => table.name)) {
    const into = [...edges.values()].filter((edge) => edge.target === name);
    const out = [...edges.values()].filter((edge) => edge.source === name);
    for (const a of into) for (const b of out) for (const one of b.statements) add(a.source, b.target, a.kind === 'direct' && b.kind === 'direct' ? 'direct' : 'indirect', one, [name]);
    for (const edge of [...into, ...out]) edges.delete(`${edge.source}\n${edge.target}`);
  }
  return [...edges.values()];
}

const STATUSES = ['fail', 'warn', 'pass'];
export const worst = (checks) => STATUSES.find((status) => checks.some((check) => check.status === status)) ?? null;

export function dataset(w, name) {
  const table = w.get(name);
  return {
    id: tableId(table.name), namespace: w.namespace, name: table.name, database: table.database, kind: table.kind, status: table.status,
    layer: table.layer, family: null, comment: table.comment, owner: table.owner, engine: table.engine, temporary: table.temporary,
    heat: table.heat, users: table.users, last_written: table.last_written, last_read: table.last_read,
    quality: worst(w.checks.filter((check) => check.table === table.name)),
  };
}

export function counted(w, name, edges = tableEdges(w)) {
  const neighbours = (end) => edges.filter((edge) => edge[end] === name && edge.kind === 'direct').length;
  return { ...dataset(w, name), column_count: w.get(name).columns.length, up_count: neighbours('target'), down_count: neighbours('source') };
}

export function edgeAnswer(edge, change = null, counted = false) {
  const all = edge.statements;
  const last = Math.max(...all.map((one) => one.last ?? 0));
  const evidences = all.map((one) => one.evidence);
  return {
    source: tableId(edge.source), target: tableId(edge.target), kind: edge.kind, state: all.some((one) => one.state === 'current') ? 'current' : all[0].state,
    evidence: ['engine_confirmed', 'ran', 'script'].find((kind) => evidences.includes(kind)), modes: [...new Set(all.map((one) => one.mode))],
    engines: [...new Set(all.map((one) => one.engine))], runs: all.reduce((sum, one) => sum + one.runs, 0),
    users: counted ? new Set(all.flatMap((one) => one.users.map((user) => user.user))).size : null, first_run: last ? Math.min(...all.map((one) => one.first)) : null,
    last_run: last || null, statement_count: all.length, uncertain: all.flatMap((one) => one.uncertain), through: edge.through, change,
  };
}

function reach(w, edges, focus, direction, depth, offline) {
  const levels = new Map([[focus, 0]]);
  for (const [way, sign, from, to] of [['up', -1, 'target', 'source'], ['down', 1, 'source', 'target']]) {
    if (direction !== 'both' && direction !== way) continue;
    let front = [focus];
    for (let step = 1; step <= depth && front.length > 0; step++) {
      const found = new Set();
      for (const edge of edges) if (front.includes(edge[from]) && !levels.has(edge[to]) && (offline || w.get(edge[to]).status !== 'offline')) found.add(edge[to]);
      front = [...found].sort((a, b) => w.get(b).heat - w.get(a).heat);
      for (const name of front) levels.set(name, sign * step);
    }
  }
  return levels;
}

export function graph(w, q) {
  const options = { indirect: truth(q.get('indirect')), temporary: truth(q.get('temporary')), hubs: !truth(q.get('without_hubs')) };
  const name = w.get(q.get('name')).name;
  const later = tableEdges(w, { ...options, moment: dayEnd(q.get('as_of') ?? q.get('to')) });
  const earlier = q.get('from') ? tableEdges(w, { ...options, moment: dayEnd(q.get('from')) }) : null;
  const has = (list, edge) => list.some((other) => other.source === edge.source && other.target === edge.target);
  const edges = earlier ? [...later, ...earlier.filter((edge) => !has(later, edge))] : later;
  const changeOf = (edge) => (!earlier ? null : !has(earlier, edge) ? 'added' : !has(later, edge) ? 'gone' : 'kept');
  const offline = truth(q.get('offline')) || earlier !== null || Boolean(q.get('as_of'));
  const levels = reach(w, edges, name, q.get('direction') ?? 'both', Number(q.get('depth') ?? 1), offline);
  const limit = Number(q.get('limit') ?? 150);
  const skip = Number(q.get('cursor') ?? 0);
  const names = [...levels.keys()].filter((one) => one !== name);
  const kept = new Set([name, ...names.slice(skip, skip + limit)]);
  const rest = names.slice(skip + limit);
  const now = tableEdges(w);
  const all = options.hubs ? later : tableEdges(w, { ...options, hubs: true, moment: dayEnd(q.get('as_of') ?? q.get('to')) });
  const way = { up: (edge) => edge.target === name, down: (edge) => edge.source === name }[q.get('direction')] ?? ((edge) => edge.target === name || edge.source === name);
  return {
    focus: tableId(name),
    nodes: [...kept].map((one) => ({ dataset: counted(w, one, now), level: levels.get(one), change: earlier ? 'kept' : null })),
    edges: edges.filter((edge) => kept.has(edge.source) && kept.has(edge.target)).map((edge) => edgeAnswer(edge, changeOf(edge))),
    more: { up: rest.filter((one) => levels.get(one) < 0).length, down: rest.filter((one) => levels.get(one) > 0).length },
    next: rest.length > 0 ? String(skip + limit) : null, as_of: q.get('as_of'), from: q.get('from'), hub_edges: all.filter((edge) => way(edge) && !has(later, edge)).length, complete: true,
  };
}

// ---- columns ----

function splitColumn(text) {
  const at = text.lastIndexOf('.');
  return [text.slice(0, at), text.slice(at + 1)];
}

export function columnEdges(w, moment, indirect) {
  const edges = new Map();
  const add = (from, target, column, kind, transform, expression, statement) => {
    const [table, name] = splitColumn(from);
    const key = `${from}\n${target}.${column}`;
    if (!edges.has(key))
      edges.set(key, {
        table, target, source: columnId(table, name), into: columnId(target, column), kind, transform, expression, statement, from: name, to: column,
      });
  };
  for (const statement of w.at(moment)) {
    for (const [column, from, expression, transform] of statement.maps) for (const one of from) add(one, statement.target, column, 'direct', transform, expression, statement);
    if (indirect) for (const [clause, from, text] of statement.conditions) for (const one of from) for (const [column] of statement.maps) add(one, statement.target, column, 'indirect', clause, text, statement);
  }
  return [...edges.values()];
}

const columnEdgeAnswer = (edge) => ({
  source: edge.source, target: edge.into, kind: edge.kind, transform: edge.transform, expression: edge.expression, state: edge.statement.state,
  evidence: edge.statement.evidence, runs: edge.statement.runs, last_run: edge.statement.last, statement_count: 1, uncertain: edge.statement.uncertain,
});

function columnGraphAnswer(w, edges, focus, levels, complete = true, asOf = null) {
  const ids = new Map();
  if (focus) ids.set(focus, levels.get(focus) ?? 0);
  for (const edge of edges) for (const id of [edge.source, edge.into]) if (!ids.has(id)) ids.set(id, levels.get(id) ?? 0);
  const nodes = [...ids].map(([id, level]) => {
    const [, table, column] = id.split('#');
    const known = w.get(table)?.columns.find((one) => one.name === column);
    return { id, dataset: tableId(table), namespace: w.namespace, table, column: column ?? null, type: known?.type ?? null, status: 'online', level };
  });
  return { focus, nodes, edges: edges.map(columnEdgeAnswer), hub_edges: 0, complete, as_of: asOf };
}

export function columnGraph(w, q) {
  const all = columnEdges(w, dayEnd(q.get('as_of')), truth(q.get('indirect')));
  const focus = columnId(w.get(q.get('name')).name, q.get('column'));
  const levels = new Map([[focus, 0]]);
  const kept = new Set();
  for (const [way, sign, from, to] of [['up', -1, 'into', 'source'], ['down', 1, 'source', 'into']]) {
    if (!['both', way].includes(q.get('direction') ?? 'both')) continue;
    let front = new Set([focus]);
    for (let step = 1; step <= Number(q.get('depth') ?? 1) && front.size > 0; step++) {
      const found = new Set();
      for (const edge of all) {
        if (!front.has(edge[from])) continue;
        kept.add(edge);
        if (!levels.has(edge[to])) {
          levels.set(edge[to], sign * step);
          found.add(edge[to]);
        }
      }
      front = found;
    }
  }
  const answer = columnGraphAnswer(w, [...kept].slice(0, Number(q.get('limit') ?? 2000)), focus, levels);
  if (!truth(q.get('expressions'))) for (const one of answer.edges) one.expression = null;
  return answer;
}

export function columnEdgesBetween(w, q) {
  const names = new Set(q.getAll('table').map((text) => text.split('#').pop()));
  const edges = columnEdges(w, dayEnd(q.get('as_of')), truth(q.get('indirect'))).filter((edge) => names.has(edge.table) && names.has(edge.target));
  return columnGraphAnswer(w, edges, null, new Map());
}

// ---- edges and paths ----

const named = (text) => text.split('#').pop();

function spanOf(sql, expression) {
  const at = sql.indexOf(expression);
  if (at < 0) return null;
  const start = Buffer.byteLength(sql.slice(0, at));
  return { start, end: start + Buffer.byteLength(expression) };
}

function statementAnswer(w, statement, edge) {
  const columns = [];
  const wanted = (table) => edge.through.length > 0 ? edge.through.includes(table) || table === edge.source : table === edge.source;
  for (const [target, from, expression, transform] of statement.maps)
    for (const one of from) {
      const [table, column] = splitColumn(one);
      if (wanted(table)) columns.push({ source: column, target, kind: 'direct', transform, expression, span: spanOf(statement.sql, expression) });
    }
  for (const [clause, from, text] of statement.conditions)
    for (const one of from) {
      const [table, column] = splitColumn(one);
      if (wanted(table)) columns.push({ source: column, target: '*', kind: 'indirect', transform: clause, expression: text, span: spanOf(statement.sql, text) });
    }
  return {
    fingerprint: statement.fingerprint, engine: statement.engine, operation: statement.mode === 'create' ? 'create_view' : 'insert_overwrite', mode: statement.mode,
    database: 'default', state: statement.state, evidence: statement.evidence, runs: statement.runs, users: statement.users,
    first_run: statement.runs ? statement.first : null, last_run: statement.last, query_id: statement.runs ? `q_${statement.id}_0` : null, script: statement.script,
    sql: statement.sql, columns, uncertain: statement.uncertain,
  };
}

export function edge(w, q) {
  const source = named(q.get('source'));
  const target = named(q.get('target'));
  const every = [...tableEdges(w, { indirect: true }), ...tableEdges(w, { indirect: true, temporary: true })];
  const found = every.find((one) => one.source === source && one.target === target);
  if (!found) return null;
  const items = found.statements.map((statement) => statementAnswer(w, statement, found));
  return { edge: edgeAnswer(found, null, true), items, next: null, total: items.length };
}

export function statements(w, q) {
  const given = new Set(q.getAll('table').map(named));
  const items = w
    .at(dayEnd(q.get('as_of')))
    .map((statement) => {
      const direct = directSources(statement);
      const sources = statement.sources.filter((one) => given.has(one) && one !== statement.target && (truth(q.get('indirect')) || direct.has(one)));
      return { ...processAnswer(statement), sources: sources.map(tableId), targets: given.has(statement.target) ? [tableId(statement.target)] : [] };
    })
    .filter((one) => one.sources.length > 0 && one.targets.length > 0);
  return { items, total: items.length };
}

const processAnswer = (statement) => ({
  fingerprint: statement.fingerprint, engine: statement.engine, operation: 'insert_overwrite', mode: statement.mode, state: statement.state, evidence: statement.evidence,
  runs: statement.runs, last_run: statement.last, query_id: statement.runs ? `q_${statement.id}_0` : null, script: statement.script,
});

export function path(w, q) {
  const [source, target] = [named(q.get('source')), named(q.get('target'))];
  const columns = q.get('source_column');
  const start = columns ? columnId(source, columns) : tableId(source);
  const goal = columns ? columnId(target, q.get('target_column')) : tableId(target);
  const edges = columns
    ? columnEdges(w, NOW, truth(q.get('indirect')))
    : tableEdges(w, { temporary: true, indirect: truth(q.get('indirect')) }).map((one) => ({ source: tableId(one.source), into: tableId(one.target), kind: one.kind, transform: null, expression: null, statement: one.statements[0] }));
  const before = new Map([[start, null]]);
  for (let front = [start]; front.length > 0 && !before.has(goal); ) {
    const next = [];
    for (const one of edges) if (front.includes(one.source) && !before.has(one.into)) (before.set(one.into, one), next.push(one.into));
    front = next;
  }
  if (!before.has(goal)) return { found: false, source: start, target: goal, hops: [], composed: null, complete: true };
  const hops = [];
  for (let at = goal; before.get(at); at = before.get(at).source) hops.unshift(before.get(at));
  let composed = null;
  if (columns) composed = hops.reduce((text, hop) => (text === null ? hop.expression : hop.expression.replace(new RegExp(`[a-z_]+\\.${hop.from}\\b`), () => text)), null);
  return {
    found: true, source: start, target: goal, composed, complete: true,
    hops: hops.map((hop) => ({ source: hop.source, target: hop.into, kind: hop.kind, transform: hop.transform, expression: hop.expression, state: 'current', fingerprint: hop.statement.fingerprint })),
  };
}

export { DAY };
