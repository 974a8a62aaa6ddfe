// What is told of tables once they are shown: asked for a hundred at a time, each table once.
import { useEffect, useRef, useState } from 'react';
import { get } from '../api/client';

const AT_ONCE = 100;

// `ids` are those of datasets. What is not known yet, or failed, is not in the map.
export function useOfTables<T extends { dataset: string }>(path: string, ids: string[]): Map<string, T> {
  const asked = useRef(new Set<string>());
  const [known, setKnown] = useState<Map<string, T>>(() => new Map());
  const key = ids.join('\n');
  useEffect(() => {
    const fresh = ids.filter((id) => !asked.current.has(id));
    for (let at = 0; at < fresh.length; at += AT_ONCE) {
      const table = fresh.slice(at, at + AT_ONCE);
      table.forEach((id) => asked.current.add(id));
      get<{ items: T[] }>(path, { table })
        .then(({ items }) => items.length > 0 && setKnown((before) => new Map([...before, ...items.map((one) => [one.dataset, one] as const)])))
        .catch(() => table.forEach((id) => asked.current.delete(id)));
    }
  }, [key]); // eslint-disable-line -- `key` stands for the ids
  return known;
}
