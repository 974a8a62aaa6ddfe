// Sizes of cards and the curves between them, in pixels of the map. The layout, the cards, the edges and the exported
// picture all take them from here; styles/cards.css uses the same numbers.

export const CARD_WIDTH = 236;
export const HEAD_HEIGHT = 48;
export const ROW_HEIGHT = 21;
export const SEARCH_HEIGHT = 30;
export const LEVEL_GAP = 120;
export const SIBLING_GAP = 18;
export const FAR_ZOOM = 0.45; // below, cards are blocks with a name, and only table edges are drawn

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  id: string;
  width: number;
  height: number;
}

// A card whose columns are open: its head, the search, its rows, and one row for those that are not shown.
export interface OpenCard {
  rows: string[]; // names of the columns shown, in order
  hidden: number;
}

export function cardHeight(open: OpenCard | undefined): number {
  if (!open) return HEAD_HEIGHT;
  return HEAD_HEIGHT + SEARCH_HEIGHT + ROW_HEIGHT * (open.rows.length + (open.hidden > 0 ? 1 : 0)) + 4;
}

// How far below the top of its card a column is; those that are not shown are at the row that stands for them.
export function columnOffset(open: OpenCard | undefined, column: string | null): number {
  if (!open || column === null) return HEAD_HEIGHT / 2;
  const at = open.rows.indexOf(column);
  if (at >= 0) return HEAD_HEIGHT + SEARCH_HEIGHT + ROW_HEIGHT * (at + 0.5);
  return open.hidden > 0 ? HEAD_HEIGHT + SEARCH_HEIGHT + ROW_HEIGHT * (open.rows.length + 0.5) : HEAD_HEIGHT / 2;
}

const round = (n: number): number => Math.round(n * 10) / 10;

// From the right side of one card to the left side of another; against the grain it bows out.
export function curve(from: Point, to: Point): string {
  const gap = to.x - from.x;
  const bend = gap >= 0 ? Math.max(Math.min(30, gap), gap / 2) : Math.min(220, 60 - gap / 4);
  return `M${round(from.x)},${round(from.y)}C${round(from.x + bend)},${round(from.y)} ${round(to.x - bend)},${round(to.y)} ${round(to.x)},${round(to.y)}`;
}

// A line that is led around what stands between: through given points, level at each.
export function curveThrough(from: Point, via: Point[], to: Point): string {
  let text = `M${round(from.x)},${round(from.y)}`;
  let last = from;
  for (const point of [...via, to]) {
    const x = (last.x + point.x) / 2;
    text += point.y === last.y ? `H${round(point.x)}` : `C${round(x)},${round(last.y)} ${round(x)},${round(point.y)} ${round(point.x)},${round(point.y)}`;
    last = point;
  }
  return text;
}

export const middle = (from: Point, to: Point): Point => ({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 });

export function boundsOf(boxes: Box[]): Box {
  if (boxes.length === 0) return { id: '', x: 0, y: 0, width: 0, height: 0 };
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { id: '', x, y, width: right - x, height: bottom - y };
}

// The viewport that shows all boxes, or, where that would make them unreadable, the focus in the middle.
export function viewportFor(boxes: Box[], focus: Box | undefined, width: number, height: number, least: number) {
  const all = boundsOf(boxes);
  const margin = 60;
  const whole = Math.min((width - 2 * margin) / all.width, (height - 2 * margin) / all.height);
  const zoom = Math.min(1, Math.max(least, whole));
  const centre = whole >= least || !focus ? all : focus;
  const tall = centre.height * zoom > height; // then its head is what a person looks for
  return {
    x: width / 2 - (centre.x + centre.width / 2) * zoom,
    y: tall ? margin - centre.y * zoom : height / 2 - (centre.y + centre.height / 2) * zoom,
    zoom,
  };
}
