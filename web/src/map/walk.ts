// Which card an arrow key leads to: left and right along the edges, up and down among the cards above and below.
// Pure functions.
import type { Box } from './geometry';
import type { Link } from './place';

export type Arrow = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown';

const distance = (a: Box, b: Box): number => Math.hypot(a.x - b.x, a.y + a.height / 2 - b.y - b.height / 2);

function nearest(from: Box, boxes: Box[]): string | null {
  let best: Box | null = null;
  for (const box of boxes) if (!best || distance(from, box) < distance(from, best)) best = box;
  return best?.id ?? null;
}

export function nextCard(id: string, arrow: Arrow, boxes: Box[], links: Link[]): string | null {
  const from = boxes.find((box) => box.id === id);
  if (!from) return boxes[0]?.id ?? null;
  const among = (ids: Set<string>) => boxes.filter((box) => ids.has(box.id) && box.id !== id);
  const inColumn = boxes.filter((box) => box.id !== id && Math.abs(box.x - from.x) < from.width / 2);
  switch (arrow) {
    case 'ArrowLeft': {
      const sources = among(new Set(links.filter((link) => link.target === id).map((link) => link.source)));
      return nearest(from, sources.length > 0 ? sources : boxes.filter((box) => box.x < from.x - from.width / 2));
    }
    case 'ArrowRight': {
      const targets = among(new Set(links.filter((link) => link.source === id).map((link) => link.target)));
      return nearest(from, targets.length > 0 ? targets : boxes.filter((box) => box.x > from.x + from.width / 2));
    }
    case 'ArrowUp':
      return nearest(from, inColumn.filter((box) => box.y < from.y));
    case 'ArrowDown':
      return nearest(from, inColumn.filter((box) => box.y > from.y));
  }
}
