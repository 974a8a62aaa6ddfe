// A warehouse in memory: tables, columns, statements, runs. Answers of the stand-in server are computed from it.
export const NOW = Date.UTC(2026, 0, 23, 6, 0, 0);
export const DAY = 86_400_000;
const NAMESPACE = 'bakery';

export const tableId = (name) => `${NAMESPACE}#${name}`;
export const columnId = (table, column) => `${NAMESPACE}#${table}#${column}`;

export class Warehouse {
  constructor() {
    this.namespace = NAMESPACE;
    this.tables = new Map();
    this.statements = [];
    this.changes = [];
    this.renamed = {}; // by former name: the new one, and when
    this.checks = []; // newest results of checks
    this.failed = {}; // by table: the last write, where it failed
  }

  // columns: "name type comment" each; only the name is needed
  table(name, columns, more = {}) {
    const database = name.includes('/') ? null : name.split('.')[0];
    const layers = ['ods', 'dwd', 'dws', 'ads', 'dim', 'tmp'];
    this.tables.set(name, {
      name,
      database,
      columns: columns.map((text, ordinal) => {
        const [column, type, ...comment] = text.split(' ');
        return { name: column, ordinal, type: type ?? 'string', comment: comment.join(' ') || null };
      }),
      kind: 'table',
      status: 'online',
      layer: layers.includes(database) ? database : null,
      comment: null,
      owner: null,
      engine: 'hive',
      temporary: false,
      heat: 0,
      users: 1,
      last_written: NOW - DAY / 4,
      last_read: NOW - DAY / 8,
      ...more,
    });
    return this;
  }

  // maps: [target column, [source "table.column"…], expression, transform]; conditions: [clause, [sources], expression]
  statement(target, maps, more = {}) {
    const id = this.statements.length;
    const sources = new Set(maps.flatMap(([, from]) => from.map((text) => text.slice(0, text.lastIndexOf('.')))));
    for (const [, from] of more.conditions ?? []) for (const text of from) sources.add(text.slice(0, text.lastIndexOf('.')));
    const list = [...sources];
    const select = maps.map(([column, , expression]) => `       ${expression} AS ${column}`).join(',\n');
    const where = (more.conditions ?? []).map(([clause, , text]) => `${clause === 'filter' ? 'WHERE' : 'GROUP BY'} ${text}`).join('\n');
    this.statements.push({
      id,
      fingerprint: (0x9e3779b97f4a7n * BigInt(id + 1)).toString(16).padStart(32, '0').slice(-32),
      target,
      sources: list,
      maps,
      conditions: [],
      mode: 'overwrite_partition',
      engine: 'hive',
      runs: 30,
      users: [{ user: 'etl', runs: 30 }],
      first: NOW - 30 * DAY,
      last: NOW - DAY / 4,
      evidence: 'ran',
      state: 'current',
      uncertain: [],
      script: null,
      sql: `-- 每日任务\nINSERT OVERWRITE TABLE ${target} PARTITION (dt='2026-01-22')\nSELECT\n${select}\nFROM ${list.join('\n     JOIN ')}\n${where}`.trim(),
      ...more,
    });
    return this;
  }

  get(name) {
    return this.tables.get(name.toLowerCase()) ?? this.tables.get(name);
  }

  // Statements that hold at a moment, offline ones left out unless asked for.
  at(moment) {
    return this.statements.filter((one) => one.first <= moment && !(one.until && one.until < moment));
  }
}
