// A list of the API as a table of any length: rows are asked for and drawn where they can be seen.
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { address, get, type ApiError, type Query } from '../api/client';
import type { Page } from '../api/types';
import { asApiError } from '../api/use';
import { Empty, Failure, Progress } from './parts';
import { useWindow } from './useWindow';

const PAGE = 200; // rows of one answer
const ROW_HEIGHT = 32;
const PROGRESS_AFTER_MS = 300;

export interface LongTableProps<T> {
  path: string;
  query: Query;
  what: string; // for messages: what is listed
  none: string; // when there is nothing
  head: ReactNode; // cells
  width: number; // how many cells a row has
  label: string;
  row: (item: T) => ReactNode; // cells
}

// Pages of a list that is counted through, by their number.
function usePages<T>(path: string, query: Query, wanted: number[]) {
  const key = path + JSON.stringify(query);
  const [state, setState] = useState<{ key: string; pages: Map<number, T[]>; total: number; error?: ApiError }>({ key, pages: new Map(), total: 0 });
  const asked = useRef({ key: '', pages: new Set<number>() });
  const [slow, setSlow] = useState(false);
  const [turn, setTurn] = useState(0);
  const mine = state.key === key ? state : undefined;
  useEffect(() => {
    if (asked.current.key !== key) asked.current = { key, pages: new Set() };
    for (const page of wanted.filter((one) => !asked.current.pages.has(one))) {
      asked.current.pages.add(page);
      const timer = setTimeout(() => setSlow(true), PROGRESS_AFTER_MS);
      get<Page<T>>(path, { ...query, limit: PAGE, cursor: page > 0 ? String(page * PAGE) : undefined })
        .then(({ items, total }) =>
          setState((before) => {
            if (asked.current.key !== key) return before;
            const pages = new Map(before.key === key ? before.pages : []).set(page, items);
            return { key, pages, total: total ?? items.length };
          }),
        )
        .catch((reason: unknown) => asked.current.key === key && setState({ key, pages: new Map(), total: 0, error: asApiError(reason, path) }))
        .finally(() => {
          clearTimeout(timer);
          setSlow(false);
        });
    }
  }, [key, wanted.join(), turn]); // eslint-disable-line -- the key stands for path and query
  const again = () => {
    asked.current = { key: '', pages: new Set() };
    setTurn((n) => n + 1);
  };
  return { mine, slow, again };
}

function pagesOf(first: number, end: number): number[] {
  const from = Math.floor(first / PAGE);
  const to = Math.floor(Math.max(0, end - 1) / PAGE);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

export function LongTable<T>({ path, query, what, none, head, width, label, row }: LongTableProps<T>) {
  const { t } = useTranslation();
  const [known, setKnown] = useState(0);
  const seen = useWindow(known, ROW_HEIGHT);
  const { mine, slow, again } = usePages<T>(path, query, known > 0 ? pagesOf(seen.first, seen.end) : [0]);
  const total = mine?.total ?? 0;
  useEffect(() => setKnown(total), [total]);
  const rows = Array.from({ length: Math.max(0, seen.end - seen.first) }, (_, index) => seen.first + index).filter((at) => at < total);
  const gap = (height: number) =>
    height > 0 && (
      <tr aria-hidden="true" style={{ height }}>
        <td colSpan={width} />
      </tr>
    );
  return (
    <>
      {total > 0 && (
        <p className="row">
          <span className="muted">{t('paged.total', { count: total })}</span>
          <span className="grow" />
          <a href={address(path, { ...query, format: 'csv' })} download>
            CSV
          </a>
        </p>
      )}
      {slow && <Progress />}
      {mine?.error && <Failure what={what} error={mine.error} again={again} />}
      {mine && !mine.error && total === 0 && <Empty>{none}</Empty>}
      {total > 0 && (
        <div className="scroll long" tabIndex={0} ref={seen.ref}>
          <table aria-rowcount={total + 1} aria-label={label}>
            <thead>
              <tr aria-rowindex={1}>{head}</tr>
            </thead>
            <tbody>
              {gap((rows[0] ?? 0) * ROW_HEIGHT)}
              {rows.map((at) => {
                const item = mine?.pages.get(Math.floor(at / PAGE))?.[at % PAGE];
                return (
                  <tr key={at} aria-rowindex={at + 2} style={{ height: ROW_HEIGHT }}>
                    {item ? row(item) : <td colSpan={width}>…</td>}
                  </tr>
                );
              })}
              {gap((total - (rows[rows.length - 1] ?? -1) - 1) * ROW_HEIGHT)}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
