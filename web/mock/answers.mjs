// Answers of the stand-in server, one function a path of docs/openapi.yaml.
import * as graphs from './graph.mjs';
import { DAY, NOW, columnId, tableId } from './model.mjs';

const page = (items, q, total = items.length) => {
  const limit = Number(q.get('limit') ?? 50);
  const skip = Number(q.get('cursor') ?? 0);
  return { items: items.slice(skip, skip + limit), next: skip + limit < items.length ? String(skip + limit) : null, total };
};

const byHeat = (a, b) => b.heat - a.heat;
const change = (w, one) => ({ ...one, dataset: tableId(one.name), namespace: w.namespace });
const online = (w) => [...w.tables.values()].filter((table) => table.status === 'online' && !table.temporary).sort(byHeat);

function home(w) {
  return {
    counts: { datasets: w.tables.size, columns: [...w.tables.values()].reduce((sum, table) => sum + table.columns.length, 0), statements: w.statements.length, column_edges: graphs.columnEdges(w, NOW, false).length },
    hot: online(w).slice(0, 12).map((table) => graphs.dataset(w, table.name)),
    changes: w.changes.map((one) => change(w, one)), last_event: NOW - 60_000, scopes: ['read', 'sql'], user: null, namespaces: [w.namespace],
  };
}

function databases(w, q) {
  const counts = new Map();
  for (const table of w.tables.values()) if (table.database) counts.set(table.database, (counts.get(table.database) ?? 0) + 1);
  return page([...counts].map(([database, tables]) => ({ namespace: w.namespace, database, tables })), q);
}

function search(w, q) {
  const words = q.get('q').toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text) => words.every((word) => (text ?? '').toLowerCase().includes(word));
  const hits = [];
  for (const table of [...w.tables.values()].sort(byHeat)) {
    if (table.status === 'offline' && q.get('offline') !== 'true') continue;
    const found = graphs.dataset(w, table.name);
    if (has(table.name)) hits.push({ type: 'table', dataset: found, column: null, column_comment: null, matched: 'name' });
    else if (has(table.comment)) hits.push({ type: 'table', dataset: found, column: null, column_comment: null, matched: 'comment' });
    for (const column of table.columns) {
      if (has(column.name)) hits.push({ type: 'column', dataset: found, column: column.name, column_comment: column.comment, matched: 'name' });
      else if (has(column.comment)) hits.push({ type: 'column', dataset: found, column: column.name, column_comment: column.comment, matched: 'comment' });
    }
  }
  const rank = (hit) => (hit.type === 'table' ? (hit.dataset.name === words[0] ? 0 : hit.matched === 'name' ? 1 : 2) : 3);
  return page(hits.filter((hit) => !q.get('type') || hit.type === q.get('type')).sort((a, b) => rank(a) - rank(b)), q);
}

function count(w, name, direction) {
  const around = (depth) => graphs.graph(w, new URLSearchParams({ name, direction, depth, limit: 2000 })).nodes.length - 1;
  return { direct: around(1), total: around(50), total_is_exact: true };
}

function renamedFrom(w, name) {
  const found = Object.entries(w.renamed).find(([, to]) => to.name === name);
  return found ? { name: found[0], time: found[1].time } : null;
}

function table(w, q) {
  const one = w.get(q.get('name'));
  const writes = w.statements.filter((statement) => statement.target === one.name && statement.last);
  const last = writes.sort((a, b) => b.last - a.last)[0];
  return {
    dataset: graphs.counted(w, one.name), view_text: one.kind === 'view' ? 'SELECT id, shop_id, amount FROM dwd.sale' : null, location: one.kind === 'path' ? one.name : `hdfs://nn/warehouse/${one.name}`,
    first_seen: NOW - 60 * DAY, last_seen: NOW, up: count(w, one.name, 'up'), down: count(w, one.name, 'down'), reads: Math.round(one.heat), writes: writes.length * 30,
    last_write: last ? { time: last.last, user: 'etl', query_id: `q_${last.id}_0`, engine: last.engine, operation: 'OVERWRITE' } : null,
    usual_time: last ? { from_minute: 120, to_minute: 149, share: 0.9 } : null,
    last_failure: w.failed[one.name] ?? (one.name === 'dws.city_day' ? { time: NOW - 2 * DAY, user: 'etl', query_id: 'q_4_2', status: 'ERROR' } : null),
    checks: Object.fromEntries(['fail', 'warn', 'pass'].map((status) => [status, w.checks.filter((check) => check.table === one.name && check.status === status).length])),
    renamed_to: w.renamed[one.name] ?? null, renamed_from: renamedFrom(w, one.name),
    uncertain: writes.flatMap((statement) => statement.uncertain),
    heat_by_day: Array.from({ length: 30 }, (_, i) => ({ day: new Date(NOW - (29 - i) * DAY).toISOString().slice(0, 10), reads: Math.round((one.heat / 30) * (1 + Math.sin(i))), writes: 1, users: 1 + (i % 4) })),
  };
}

function columns(w, q) {
  const one = w.get(q.get('name'));
  const edges = graphs.columnEdges(w, NOW, true);
  const text = (q.get('q') ?? '').toLowerCase();
  const items = one.columns
    .filter((column) => !text || `${column.name} ${column.comment ?? ''}`.toLowerCase().includes(text))
    .map((column) => {
      const id = columnId(one.name, column.name);
      const number = (side, kind) => edges.filter((edge) => edge[side] === id && edge.kind === kind).length;
      return { id, name: column.name, ordinal: column.ordinal, type: column.type, comment: column.comment, partition: column.name === 'dt', status: 'online', up_count: number('into', 'direct'), down_count: number('source', 'direct'), indirect_down_count: number('source', 'indirect') };
    });
  if (q.get('order') !== 'ordinal') items.sort((a, b) => b.down_count - a.down_count || b.up_count - a.up_count || a.ordinal - b.ordinal);
  return page(items, q);
}

const USERS = ['etl', 'lin', 'zhou'];

function runOf(statement, index) {
  return {
    query_id: `q_${statement.id}_${index}`, engine: statement.engine, user: USERS[index % 3], database: 'default', started: (statement.last ?? NOW) - index * DAY, duration_ms: 62_000 + index * 311,
    status: index === 2 && statement.id === 4 ? 'ERROR' : 'OK', operation: 'OVERWRITE', fingerprint: statement.fingerprint, inputs: statement.sources, outputs: [statement.target],
  };
}

function runs(w, keep) {
  return w.statements.filter((one) => one.runs > 0 && keep(one)).flatMap((one) => Array.from({ length: Math.min(one.runs, 30) }, (_, i) => runOf(one, i))).sort((a, b) => b.started - a.started);
}

function queries(w, q) {
  const name = q.get('name') ? w.get(q.get('name')).name : null;
  return page(runs(w, (one) => (!name || one.target === name || one.sources.includes(name)) && (!q.get('fingerprint') || one.fingerprint === q.get('fingerprint'))).filter((run) => (!q.get('status') || run.status === q.get('status')) && (!q.get('user') || run.user === q.get('user'))), q, null);
}

function marks(statement) {
  const found = [];
  for (const [name, role] of [[statement.target, 'target'], ...statement.sources.map((one) => [one, 'source'])])
    for (let at = statement.sql.indexOf(name); at >= 0; at = statement.sql.indexOf(name, at + 1)) {
      const start = Buffer.byteLength(statement.sql.slice(0, at));
      found.push({ start, end: start + Buffer.byteLength(name), role, name });
    }
  return found.sort((a, b) => a.start - b.start);
}

function query(w, q) {
  const [, id, index] = /^q_(\d+)_(\d+)$/.exec(q.get('id')) ?? [];
  const statement = id === undefined ? undefined : w.statements[Number(id)];
  if (!statement) return null;
  return {
    query: runOf(statement, Number(index)), sql: statement.sql, error: index === '2' && id === '4' ? 'Memory limit exceeded' : null, marks: marks(statement),
    lineage: { operation: 'insert_overwrite', inputs: statement.sources, outputs: [{ table: statement.target, write_mode: statement.mode }], columns: statement.maps.map(([column, from, expression, transform], ordinal) => ({ target: `${statement.target}.${column}`, ordinal, transform, sources: from, expression })), predicates: statement.conditions.map(([clause, sources, expression]) => ({ clause, sources, expression })), diagnostics: [] },
    problems: statement.uncertain, other_runs: Math.max(0, statement.runs - 1),
  };
}

function impact(w, q) {
  const one = w.get(q.get('name'));
  const column = q.get('column');
  const found = column
    ? graphs.columnGraph(w, new URLSearchParams({ name: one.name, column, direction: 'down', depth: 50 })).nodes.filter((node) => node.level > 0)
    : graphs.graph(w, new URLSearchParams({ name: one.name, direction: 'down', depth: 50, limit: 2000 })).nodes.filter((node) => node.level > 0).map((node) => ({ table: node.dataset.name, column: null, level: node.level }));
  const tables = new Map();
  for (const node of found) {
    const known = tables.get(node.table) ?? { dataset: graphs.dataset(w, node.table), level: node.level, kind: 'direct', columns: [], via: tableId(one.name) };
    if (node.column && known.columns.length < 100) known.columns.push(node.column);
    known.level = Math.min(known.level, node.level);
    tables.set(node.table, known);
  }
  const list = [...tables.values()];
  const wanted = q.get('layer');
  const layer = (name, items) => (!wanted || wanted === name ? page(items, q) : null);
  return {
    subject: column ? columnId(one.name, column) : tableId(one.name), direct: layer('direct', list.filter((item) => item.level === 1)),
    queries: layer('queries', runs(w, (statement) => statement.sources.includes(one.name))), indirect: layer('indirect', list.filter((item) => item.level > 1)), complete: true,
  };
}

const heatItem = (w, one) => ({ dataset: graphs.dataset(w, one.name), reads: Math.round(one.heat), writes: 30, users: one.users });
const heat = (w, q) => page(online(w).map((one) => heatItem(w, one)), q, null);
const unread = (w, q) => page(online(w).filter((one) => one.heat < 5).map((one) => ({ ...heatItem(w, one), reads: 0 })), q, null);

function deadColumns(w, q) {
  const used = new Set(graphs.columnEdges(w, NOW, true).map((edge) => edge.source));
  const items = online(w).flatMap((one) => one.columns.filter((column) => !used.has(columnId(one.name, column.name))).map((column) => ({ namespace: w.namespace, table: one.name, column: column.name, type: column.type, comment: column.comment, dataset: tableId(one.name) })));
  return page(items.filter((item) => !q.get('name') || item.table === q.get('name')), q, null);
}

export const history = (w, q) => page(w.changes.filter((one) => one.name === q.get('name')).map((one) => change(w, one)), q);
export const changes = (w, q) => page(w.changes.map((one) => change(w, one)), q);

export function analyze(w, body) {
  const target = /(?:into|overwrite)\s+(?:table\s+)?([\w.]+)/i.exec(body.sql)?.[1];
  const dropped = /alter\s+table\s+([\w.]+)\s+drop\s+column\s+(\w+)/i.exec(body.sql);
  const statement = { index: 0, type: 'INSERT', span: { start: 0, end: Buffer.byteLength(body.sql), line: 1, column: 1 }, operation: 'insert', inputs: [], outputs: [], columns: [], predicates: [], diagnostics: [], error: null };
  const answer = { document: { id: 'sql', dialect: body.dialect ?? 'hive', statements: [statement] }, changes: [], hit: [] };
  if (!/^\s*(insert|alter|create|with|select|--)/i.test(body.sql)) statement.error = { code: 'syntax', message: 'a statement was expected', line: 1, column: 1 };
  if (target) {
    const source = /from\s+([\w.]+)/i.exec(body.sql)?.[1] ?? 'dwd.sale';
    statement.inputs = [source];
    statement.outputs = [{ table: target, write_mode: 'append' }];
    statement.columns = [{ target: `${target}.city`, ordinal: 0, transform: 'identity', sources: [`${source}.city`], expression: 'city' }];
    answer.changes = [{ type: 'edge_added', source: `${source}.city`, target: `${target}.city`, column: null, before: null, after: null }];
  }
  if (dropped) {
    answer.changes = [{ type: 'column_dropped', source: null, target: dropped[1], column: dropped[2], before: 'string', after: null }];
    answer.hit = impact(w, new URLSearchParams({ name: dropped[1], column: dropped[2], layer: 'direct' })).direct.items;
  }
  return answer;
}

const readersOf = (w, name) => w.statements.filter((one) => one.sources.includes(name)).flatMap((one) => one.users.map(({ user, runs }) => ({ user, reads: runs }))).slice(0, 5);
const namesOf = (users) => [...new Set(users.map((one) => one.user))];

function checks(w, q) {
  const name = q.get('name') && w.get(q.get('name')).name;
  const items = w.checks.filter((one) => (!name || one.table === name) && (!q.get('status') || one.status === q.get('status')));
  return page(items.map((one) => ({ ...one, dataset: tableId(one.table), namespace: w.namespace })), q, null);
}

function whoIsHit(w, q) {
  const one = w.get(q.get('name'));
  const found = impact(w, new URLSearchParams({ name: one.name, limit: '10000', ...(q.get('column') ? { column: q.get('column') } : {}) }));
  const itself = { dataset: graphs.dataset(w, one.name), level: 0, kind: 'direct', columns: q.get('column') ? [q.get('column')] : [], via: null };
  const writers = (name) => namesOf(w.statements.filter((statement) => statement.target === name).flatMap((statement) => statement.users));
  const list = [itself, ...found.direct.items, ...found.indirect.items].map((item) => ({ ...item, writers: writers(item.dataset.name), readers: namesOf(readersOf(w, item.dataset.name)) }));
  return { subject: found.subject, ...page(list, q), complete: true };
}

function owners(w, q) {
  const writes = (name) => w.statements.filter((one) => one.target === name).flatMap((one) => one.users.map(({ user, runs }) => ({ user, writes: runs })));
  const items = q.getAll('table').map((text) => w.get(text.split('#').pop())).map((one) => ({ dataset: tableId(one.name), owner: one.owner, writers: writes(one.name), readers: readersOf(w, one.name), failed: w.failed[one.name] ?? null }));
  return { items };
}

const health = () => ({
  status: 'good', version: '0.1.0', store: { kind: 'sqlite', schema: 1, readable: true, bytes: 73_400_320 },
  checks: [{ name: 'capture', good: true, detail: null }, { name: 'state', good: true, detail: null }], last_event: NOW - 60_000, lag_ms: 420, events: 120_411, rejected: 0,
});

export const routes = {
  '/home': home, '/databases': databases, '/search': search, '/table': table, '/columns': columns, '/graph': graphs.graph, '/diff': graphs.graph, '/column-graph': graphs.columnGraph,
  '/column-edges': graphs.columnEdgesBetween, '/edge': graphs.edge, '/path': graphs.path, '/impact': impact, '/heat': heat, '/unread': unread, '/dead-columns': deadColumns, '/queries': queries,
  '/query': query, '/statements': graphs.statements, '/owners': owners, '/hop-counts': () => ({ items: [] }), '/history': history, '/changes': changes, '/checks': checks, '/who-is-hit': whoIsHit, '/health': health,
};
