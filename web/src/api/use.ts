// useQuery: an answer of the API as state of a component. `slow` turns true after 300 ms, when progress is shown.
import { useEffect, useState } from 'react';
import { ApiError, get, type Query } from './client';

export interface Loaded<T> {
  data: T | undefined;
  error: ApiError | undefined;
  loading: boolean;
  slow: boolean;
  again: () => void;
}

const PROGRESS_AFTER_MS = 300;

export function useQuery<T>(path: string | null, query: Query = {}): Loaded<T> {
  return useLoad<T>(path === null ? null : path + JSON.stringify(query), (signal) => get<T>(path!, query, signal));
}

// `key` names what is asked for; null asks for nothing. The last answer stays while the next one is on its way.
export function useLoad<T>(key: string | null, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [data, setData] = useState<T>();
  const [error, setError] = useState<ApiError>();
  const [loading, setLoading] = useState(key !== null);
  const [slow, setSlow] = useState(false);
  const [turn, setTurn] = useState(0);

  useEffect(() => {
    if (key === null) {
      setData(undefined);
      setError(undefined);
      setLoading(false);
      return;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => setSlow(true), PROGRESS_AFTER_MS);
    setLoading(true);
    setError(undefined);
    load(stop.signal)
      .then((answer) => setData(answer))
      .catch((reason: unknown) => {
        if (!stop.signal.aborted) setError(asApiError(reason, key));
      })
      .finally(() => {
        clearTimeout(timer);
        if (stop.signal.aborted) return;
        setSlow(false);
        setLoading(false);
      });
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
    // `load` is made anew at every rendering; what it asks for is in the key.
  }, [key, turn]); // eslint-disable-line

  return { data, error, loading, slow, again: () => setTurn((n) => n + 1) };
}

export function asApiError(reason: unknown, path: string): ApiError {
  if (reason instanceof ApiError) return reason;
  return new ApiError({ title: 'page', status: -1, detail: String(reason), nearest: [] }, path);
}
