// A list of the API, page after page, with its CSV.
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { address, get, type ApiError, type Query as Parameters } from '../api/client';
import type { Page } from '../api/types';
import { asApiError } from '../api/use';
import { Empty, Failure, Progress } from './parts';

export interface PagedProps<T> {
  path: string;
  query: Parameters;
  what: string; // for messages: what is listed
  none: string; // when there is nothing
  csv?: boolean;
  pageOf?: (answer: unknown) => Page<T>; // where the page stands in the answer
  children: (items: T[]) => ReactNode;
}

export function Paged<T>({ path, query, what, none, csv = true, pageOf = (answer) => answer as Page<T>, children }: PagedProps<T>) {
  const { t } = useTranslation();
  const key = path + JSON.stringify(query);
  const [state, setState] = useState<{ key: string; items: T[]; next: string | null; total: number | null; done: boolean; error?: ApiError }>();
  const [cursor, setCursor] = useState<{ key: string; at: string } | null>(null);
  const [turn, setTurn] = useState(0);
  const [slow, setSlow] = useState(false);
  const at = cursor?.key === key ? cursor.at : undefined;

  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => setSlow(true), 300);
    get<unknown>(path, { ...query, cursor: at }, stop.signal)
      .then((answer) => {
        const page = pageOf(answer);
        setState((before) => ({ key, items: [...(at && before?.key === key ? before.items : []), ...page.items], next: page.next, total: page.total, done: true }));
      })
      .catch((reason: unknown) => {
        if (!stop.signal.aborted) setState({ key, items: [], next: null, total: null, done: true, error: asApiError(reason, path) });
      })
      .finally(() => {
        clearTimeout(timer);
        setSlow(false);
      });
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [key, at, turn]); // eslint-disable-line -- the key stands for path and query

  const mine = state?.key === key ? state : undefined;
  return (
    <>
      {csv && mine && mine.items.length > 0 && (
        <p className="row">
          <span className="muted">{mine.total !== null && t('paged.total', { count: mine.total })}</span>
          <span className="grow" />
          <a href={address(path, { ...query, format: 'csv', limit: undefined })} download>
            CSV
          </a>
        </p>
      )}
      {slow && <Progress />}
      {mine?.error && <Failure what={what} error={mine.error} again={() => setTurn((n) => n + 1)} />}
      {mine && !mine.error && mine.items.length === 0 && <Empty>{none}</Empty>}
      {mine && mine.items.length > 0 && children(mine.items)}
      {mine?.next && (
        <button className="button" onClick={() => setCursor({ key, at: mine.next! })}>
          {t('paged.more')}
        </button>
      )}
    </>
  );
}
