// Who keeps the tables that are shown, and which of them failed.
import type { Keeping } from '../api/types';
import { useOfTables } from './useOfTables';

export type Keepings = Map<string, Keeping>;

export const useKeepings = (ids: string[]): Keepings => useOfTables<Keeping>('/owners', ids);
