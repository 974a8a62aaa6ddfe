// Where every card stands. The first picture of a table is laid out by elk, a large one by a simpler way that is there at once; what is opened later is placed beside what
// stands already, and nothing that stands moves, unless a person asks for a tidy picture.
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Point } from './geometry';
import { layOut, type Laid } from './elk';
import { layered } from './layered';
import { placeAdded, placeGrouped, settle, type Item, type Link } from './place';

const LARGE = 60; // cards

export interface PlacedItem extends Item {
  group: string;
}

export interface Layout {
  places: Map<string, Point> | null; // null until the first layout is there
  bends: Map<string, Point[]>; // of lines between cards that stand where they were laid out
  tidy: () => void;
}

const shifted = (places: Map<string, Point>, by: Point): Map<string, Point> =>
  new Map([...places].map(([id, at]) => [id, { x: at.x + by.x, y: at.y + by.y }]));

// Moves a layout so that one card stays where it was.
function anchored(laid: Laid, id: string, at: Point | undefined): Laid {
  const now = laid.places.get(id);
  if (!now || !at) return laid;
  const by = { x: at.x - now.x, y: at.y - now.y };
  const bends = new Map([...laid.bends].map(([key, points]) => [key, points.map((point) => ({ x: point.x + by.x, y: point.y + by.y }))]));
  return { places: shifted(laid.places, by), bends };
}

const NO_BENDS = new Map<string, Point[]>();
const same = (a: Point | undefined, b: Point | undefined): boolean => a !== undefined && b !== undefined && a.x === b.x && a.y === b.y;

function bendsThatHold(laid: Laid, places: Map<string, Point>): Map<string, Point[]> {
  const stands = (id: string) => same(laid.places.get(id), places.get(id));
  return new Map([...laid.bends].filter(([key]) => key.split('\n').length === 2 && key.split('\n').every(stands)));
}

export function useLayout(focus: string, items: PlacedItem[], links: Link[], ready: boolean, grouped: boolean): Layout {
  const [base, setBase] = useState<(Laid & { focus: string }) | null>(null);
  const [turn, setTurn] = useState(0);
  const known = useRef(new Map<string, Point>());
  const laid = useRef(''); // which layout stands, so that loading more asks for none anew
  const latest = useRef({ items, links });
  latest.current = { items, links };
  const isReady = ready && items.length > 0;

  useEffect(() => {
    const wanted = `${turn} ${focus}`;
    if (!isReady || laid.current === wanted) return;
    let stopped = false;
    const { items: all, links: edges } = latest.current;
    const ids = new Set(all.map((item) => item.id));
    const inside = edges.filter((link) => ids.has(link.source) && ids.has(link.target));
    const before = turn > 0 ? known.current.get(focus) : undefined;
    // A tidy picture may take its time, a first one must not.
    const done = turn === 0 && all.length > LARGE ? Promise.resolve({ places: layered(all, inside), bends: NO_BENDS }) : layOut(all, inside);
    done
      .then((found) => {
        if (stopped) return;
        laid.current = wanted;
        setBase({ focus, ...anchored(found, focus, before) });
      })
      .catch(() => {
        if (stopped) return;
        laid.current = wanted;
        setBase({ focus, places: placeAdded(all, inside, new Map()), bends: NO_BENDS });
      });
    return () => {
      stopped = true;
    };
  }, [focus, turn, isReady]);

  const places = useMemo(() => {
    if (!base || base.focus !== focus) return null;
    const given = grouped
      ? anchored({ places: placeGrouped(items), bends: NO_BENDS }, focus, base.places.get(focus)).places
      : placeAdded(items, links, base.places);
    // Cards that went keep their place for when they come back.
    if (!grouped) for (const [id, at] of given) base.places.set(id, at);
    return settle(items, given);
  }, [base, focus, items, links, grouped]);
  if (places) known.current = places;
  const bends = useMemo(() => (base && places && !grouped ? bendsThatHold(base, places) : NO_BENDS), [base, places, grouped]);

  return { places, bends, tidy: () => setTurn((n) => n + 1) };
}
