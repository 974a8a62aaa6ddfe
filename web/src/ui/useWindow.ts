// Which rows of a long list can be seen, so that only these are in the page. All rows are of one height.
import { useCallback, useEffect, useState } from 'react';

export interface Window {
  ref: (element: HTMLElement | null) => void; // of what scrolls
  first: number;
  end: number;
}

const SPARE = 12; // rows drawn beyond what is seen
const HEIGHT = 700; // guessed until it is known

export function useWindow(count: number, rowHeight: number): Window {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [seen, setSeen] = useState({ top: 0, height: HEIGHT });
  const look = useCallback(() => {
    if (element) setSeen((before) => (before.top === element.scrollTop && before.height === element.clientHeight ? before : { top: element.scrollTop, height: element.clientHeight || HEIGHT }));
  }, [element]);
  useEffect(() => {
    if (!element) return;
    look();
    const watch = new ResizeObserver(look);
    watch.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      watch.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [element, look]);
  const first = Math.max(0, Math.min(Math.floor(seen.top / rowHeight) - SPARE, count - 1));
  return { ref: setElement, first, end: Math.min(count, first + Math.ceil(seen.height / rowHeight) + 2 * SPARE) };
}
