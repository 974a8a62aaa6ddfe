// Who keeps the tables that are shown, and which of them failed: asked for once they are there, a hundred at a time,
// each table once.
import { useEffect, useRef, useState } from 'react';
import { get } from '../api/client';
import type { Keeping } from '../api/types';

const AT_ONCE = 100;

export type Keepings = Map<string, Keeping>;

// `ids` are those of datasets. What is not known yet is not in the map; a failure leaves it out.
export function useKeepings(ids: string[]): Keepings {
  const asked = useRef(new Set<string>());
  const [known, setKnown] = useState<Keepings>(() => new Map());
  const key = ids.join('\n');
  useEffect(() => {
    const fresh = ids.filter((id) => !asked.current.has(id));
    for (let at = 0; at < fresh.length; at += AT_ONCE) {
      const table = fresh.slice(at, at + AT_ONCE);
      table.forEach((id) => asked.current.add(id));
      get<{ items: Keeping[] }>('/owners', { table })
        .then(({ items }) => setKnown((before) => new Map([...before, ...items.map((one) => [one.dataset, one] as const)])))
        .catch(() => table.forEach((id) => asked.current.delete(id)));
    }
  }, [key]); // eslint-disable-line -- `key` stands for the ids
  return known;
}
