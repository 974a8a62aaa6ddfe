// Where every card stands. The first picture of a table is laid out by elk, a large one by a simpler way that is there at once; what is opened later is placed beside what
// stands already, and nothing that stands moves, unless a person asks for a tidy picture.
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Point } from './geometry';
import { layOut } from './elk';
import { layered } from './layered';
import { placeAdded, placeGrouped, settle, type Item, type Link } from './place';

const LARGE = 60; // cards

export interface PlacedItem extends Item {
  group: string;
}

export interface Layout {
  places: Map<string, Point> | null; // null until the first layout is there
  tidy: () => void;
}

const shifted = (places: Map<string, Point>, by: Point): Map<string, Point> =>
  new Map([...places].map(([id, at]) => [id, { x: at.x + by.x, y: at.y + by.y }]));

// Moves a layout so that one card stays where it was.
function anchored(places: Map<string, Point>, id: string, at: Point | undefined): Map<string, Point> {
  const now = places.get(id);
  return now && at ? shifted(places, { x: at.x - now.x, y: at.y - now.y }) : places;
}

export function useLayout(focus: string, items: PlacedItem[], links: Link[], ready: boolean, grouped: boolean): Layout {
  const [base, setBase] = useState<{ focus: string; places: Map<string, Point> } | null>(null);
  const [turn, setTurn] = useState(0);
  const known = useRef(new Map<string, Point>());
  const latest = useRef({ items, links });
  latest.current = { items, links };
  const isReady = ready && items.length > 0;

  useEffect(() => {
    if (!isReady) return;
    let stopped = false;
    const { items: all, links: edges } = latest.current;
    const ids = new Set(all.map((item) => item.id));
    const inside = edges.filter((link) => ids.has(link.source) && ids.has(link.target));
    const before = turn > 0 ? known.current.get(focus) : undefined;
    // A tidy picture may take its time, a first one must not.
    const done = turn === 0 && all.length > LARGE ? Promise.resolve(layered(all, inside)) : layOut(all, inside);
    done
      .then((places) => {
        if (!stopped) setBase({ focus, places: anchored(places, focus, before) });
      })
      .catch(() => {
        if (!stopped) setBase({ focus, places: placeAdded(all, inside, new Map()) });
      });
    return () => {
      stopped = true;
    };
  }, [focus, turn, isReady]);

  const places = useMemo(() => {
    if (!base || base.focus !== focus) return null;
    const given = grouped
      ? anchored(placeGrouped(items), focus, base.places.get(focus))
      : placeAdded(items, links, base.places);
    // Cards that went keep their place for when they come back.
    if (!grouped) for (const [id, at] of given) base.places.set(id, at);
    return settle(items, given);
  }, [base, focus, items, links, grouped]);
  if (places) known.current = places;

  return { places, tidy: () => setTurn((n) => n + 1) };
}
