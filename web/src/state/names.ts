// Ids and what stands in the address for them. Within the namespace of the table that is looked at, a table is
// called by its name; a table of another one by its id, `namespace#name`.

export const idOf = (namespace: string, text: string): string => (text.includes('#') ? text : `${namespace}#${text}`);

export const shortOf = (namespace: string, id: string): string =>
  id.startsWith(`${namespace}#`) ? id.slice(namespace.length + 1) : id;

export const tableIdOf = (columnId: string): string => columnId.split('#').slice(0, 2).join('#');
export const columnIdOf = (tableId: string, column: string): string => `${tableId}#${column}`;
export const columnNameOf = (columnId: string): string | null => columnId.split('#')[2] ?? null;
export const nameOf = (id: string): string => id.split('#').slice(1).join('.') || id;
export const namespaceOf = (id: string): string => id.split('#')[0] ?? '';

// `db.table` in two: paths stay whole.
export function splitName(name: string): { database: string; table: string } {
  const at = name.indexOf('.');
  return at < 0 || name.includes('/') ? { database: '', table: name } : { database: name.slice(0, at), table: name.slice(at + 1) };
}
