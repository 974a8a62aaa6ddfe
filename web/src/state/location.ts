// The address of the page: `#/page?name=value`. All that a person set stands in it, so that a view can be sent to
// somebody else. The part behind `#` never reaches the server, and works below any path.
import { useSyncExternalStore } from 'react';

export interface Place {
  page: string;
  params: URLSearchParams;
}

export function parsePlace(hash: string): Place {
  const text = hash.replace(/^#?\/?/, '');
  const at = text.indexOf('?');
  return {
    page: at < 0 ? text : text.slice(0, at),
    params: new URLSearchParams(at < 0 ? '' : text.slice(at + 1)),
  };
}

export function formatPlace(page: string, params: URLSearchParams | Record<string, string> = {}): string {
  // Names are dotted and may hold slashes: leave these readable.
  const query = new URLSearchParams(params).toString().replace(/%2F/g, '/').replace(/%3A/g, ':').replace(/%2C/g, ',');
  return `#/${page}${query ? `?${query}` : ''}`;
}

export const href = formatPlace;

function subscribe(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  window.addEventListener('popstate', changed);
  return () => {
    window.removeEventListener('hashchange', changed);
    window.removeEventListener('popstate', changed);
  };
}

let known = { hash: '', place: parsePlace('') };
function current(): Place {
  if (known.hash !== window.location.hash) known = { hash: window.location.hash, place: parsePlace(window.location.hash) };
  return known.place;
}

export function usePlace(): Place {
  return useSyncExternalStore(subscribe, current);
}

export function go(hash: string, how: 'push' | 'replace' = 'push'): void {
  if (hash === window.location.hash) return;
  if (how === 'push') window.history.pushState(null, '', hash);
  else window.history.replaceState(null, '', hash);
  window.dispatchEvent(new PopStateEvent('popstate'));
}
