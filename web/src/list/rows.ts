// The rows of the list beside the picture: filtered, sorted, as CSV. Pure functions.
import type { Dataset } from '../api/types';

export interface ListRow {
  dataset: Dataset;
  level: number;
  failed: number | null; // when its last write failed
}

export type SortKey = 'level' | 'name' | 'database' | 'owner' | 'heat' | 'users' | 'last_read' | 'last_written';

export const SORT_KEYS: SortKey[] = ['level', 'name', 'database', 'owner', 'heat', 'users', 'last_read', 'last_written'];

// Every word must be somewhere in a row; `db:x`, `owner:x`, `layer:x`, `engine:x`, `quality:x` hold for one property.
export function matches(row: ListRow, filter: string): boolean {
  const { dataset } = row;
  const all = [dataset.name, dataset.comment, dataset.owner, dataset.engine].join(' ').toLowerCase();
  const properties: Record<string, string | null> = {
    db: dataset.database,
    owner: dataset.owner,
    layer: dataset.layer,
    engine: dataset.engine,
    status: dataset.status,
    quality: dataset.quality,
  };
  return filter
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => {
      const at = word.indexOf(':');
      const name = at > 0 ? word.slice(0, at) : '';
      if (name in properties) return (properties[name] ?? '').toLowerCase() === word.slice(at + 1);
      return all.includes(word);
    });
}

function valueOf(row: ListRow, key: SortKey): string | number {
  switch (key) {
    case 'level':
      return Math.abs(row.level);
    case 'name':
      return row.dataset.name;
    case 'database':
      return row.dataset.database ?? '';
    case 'owner':
      return row.dataset.owner ?? '';
    case 'heat':
      return row.dataset.heat;
    case 'users':
      return row.dataset.users;
    case 'last_read':
      return row.dataset.last_read ?? 0;
    case 'last_written':
      return row.dataset.last_written ?? 0;
  }
}

export function sortOf(text: string): { key: SortKey; falling: boolean } | null {
  const falling = text.startsWith('-');
  const key = SORT_KEYS.find((one) => one === text.replace(/^-/, ''));
  return key ? { key, falling } : null;
}

// Without an order: nearest first, hottest first among equals.
export function sorted(rows: ListRow[], sort: string): ListRow[] {
  const order = sortOf(sort);
  const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);
  return [...rows].sort((a, b) => {
    if (!order) return Math.abs(a.level) - Math.abs(b.level) || b.dataset.heat - a.dataset.heat;
    const difference = compare(valueOf(a, order.key), valueOf(b, order.key));
    return (order.falling ? -difference : difference) || compare(a.dataset.name, b.dataset.name);
  });
}

// A cell that a spreadsheet would take for a formula is led in by an apostrophe.
function cell(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

const time = (ms: number | null): string => (ms === null ? '' : new Date(ms).toISOString());

export function csvOf(rows: ListRow[]): string {
  const head = ['namespace', 'name', 'level', 'owner', 'layer', 'engine', 'status', 'quality', 'heat', 'users', 'last_read', 'last_written'];
  const lines = rows.map(({ dataset, level }) =>
    [
      dataset.namespace,
      dataset.name,
      level,
      dataset.owner,
      dataset.layer,
      dataset.engine,
      dataset.status,
      dataset.quality,
      dataset.heat,
      dataset.users,
      time(dataset.last_read),
      time(dataset.last_written),
    ]
      .map(cell)
      .join(','),
  );
  return [head.join(','), ...lines, ''].join('\r\n');
}
