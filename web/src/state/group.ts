// What groups of tables go by: their database, their owner, their project. Pure functions.
import type { Dataset, Keeping } from '../api/types';
import { ownerOf } from './owner';
import type { Grouping } from './view';

export const UNGROUPED = '';

const LAYERS = ['ods', 'dwd', 'dwm', 'dwb', 'dws', 'ads', 'app', 'dim', 'tmp', 'temp', 'stg', 'dm', 'dw', 'rpt'];

// The first part of the database's name that tells more than a layer: `sales` of `sales_dwd`, of `dwd_sales` and of
// `sales`. A database that is only a layer is its own project.
export function projectOf(database: string | null): string {
  if (!database) return UNGROUPED;
  return database.split('_').find((part) => part !== '' && !LAYERS.includes(part.toLowerCase())) ?? database;
}

export function groupOf(grouping: Grouping, dataset: Dataset, keeping?: Keeping): string {
  switch (grouping) {
    case 'owner':
      return ownerOf(dataset.owner, keeping) ?? UNGROUPED;
    case 'project':
      return projectOf(dataset.database);
    default:
      return dataset.database ?? UNGROUPED;
  }
}
