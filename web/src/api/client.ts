// Talks to the API: builds addresses, reads answers, and turns every failure into words a person can act on.

export interface Problem {
  title: string;
  status: number;
  detail: string;
  nearest: { namespace: string; name: string }[];
}

export class ApiError extends Error {
  constructor(
    readonly problem: Problem,
    readonly path: string,
  ) {
    super(problem.detail || problem.title);
  }
}

export type Query = Record<string, string | number | boolean | null | undefined | string[]>;

// The page may be served below any path by a proxy, so addresses are relative to it.
export const API_ROOT = 'api/v1';

export function address(path: string, query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '' || value === false) continue;
    for (const one of Array.isArray(value) ? value : [value]) params.append(name, String(one));
  }
  const text = params.toString();
  return `${API_ROOT}${path}${text ? `?${text}` : ''}`;
}

const TOKEN = 'colline.token';

// A token lives as long as the tab: it is never written to disk.
export const token = {
  get: (): string => sessionStorage.getItem(TOKEN) ?? '',
  set: (value: string): void => (value ? sessionStorage.setItem(TOKEN, value) : sessionStorage.removeItem(TOKEN)),
};

async function problemOf(response: Response): Promise<Problem> {
  const fallback = { title: response.statusText || 'HTTP', status: response.status, detail: '', nearest: [] };
  try {
    const body = (await response.json()) as Partial<Problem>;
    return { ...fallback, ...body, status: response.status, nearest: body.nearest ?? [] };
  } catch {
    return fallback;
  }
}

async function call(path: string, url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  if (token.get()) headers.set('Authorization', `Bearer ${token.get()}`);
  let response: Response;
  try {
    response = await fetch(url, { ...init, headers });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError({ title: 'unreachable', status: 0, detail: '', nearest: [] }, path);
  }
  if (!response.ok) throw new ApiError(await problemOf(response), path);
  return response;
}

export async function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  const response = await call(path, address(path, query), { signal, headers: { Accept: 'application/json' } });
  return (await response.json()) as T;
}

export async function getText(path: string, query: Query, accept: string): Promise<string> {
  return (await call(path, address(path, query), { headers: { Accept: accept } })).text();
}

export async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const response = await call(path, address(path), {
    method: 'POST',
    signal,
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as T;
}
