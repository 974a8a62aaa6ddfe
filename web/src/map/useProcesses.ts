// The statements between the drawn tables, where they are to be nodes.
import { get } from '../api/client';
import type { Process } from '../api/types';
import { useLoad, type Loaded } from '../api/use';
import type { View } from '../state/view';

const MOST_TABLES = 200; // of one question
const NONE: Process[] = [];

export interface Processes extends Pick<Loaded<unknown>, 'error' | 'slow' | 'again'> {
  items: Process[];
}

export function useProcesses(view: View, drawn: string[]): Processes {
  const table = drawn.slice(0, MOST_TABLES);
  const query = { table, indirect: view.indirect, as_of: view.asOf };
  const answer = useLoad<{ items: Process[] }>(view.statements && table.length > 0 ? `statements ${JSON.stringify(query)}` : null, (signal) => get('/statements', query, signal));
  return { items: view.statements ? (answer.data?.items ?? NONE) : NONE, error: answer.error, slow: answer.slow, again: answer.again };
}
