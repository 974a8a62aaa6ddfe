// Saved views: a name and an address, kept in this browser.

export interface SavedView {
  name: string;
  hash: string;
  time: number;
}

const KEY = 'colline.views';
const MOST = 100;

export function readSaved(text: string | null): SavedView[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    if (!Array.isArray(list)) return [];
    return list.filter((one): one is SavedView => typeof one?.name === 'string' && typeof one?.hash === 'string' && one.hash.startsWith('#/'));
  } catch {
    return [];
  }
}

// The newest first; a name that is there already is taken over.
export const withSaved = (list: SavedView[], view: SavedView): SavedView[] =>
  [view, ...list.filter((one) => one.name !== view.name)].slice(0, MOST);

export const savedViews = (): SavedView[] => readSaved(localStorage.getItem(KEY));
export const keepViews = (list: SavedView[]): void => localStorage.setItem(KEY, JSON.stringify(list));
