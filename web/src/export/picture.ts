// The picture as a file. It is drawn from the scene, not from the screen: all cards, whatever the view shows of them.
import { boundsOf, CARD_WIDTH, curve, HEAD_HEIGHT, ROW_HEIGHT, SEARCH_HEIGHT, type Box, type Point } from '../map/geometry';
import { placeProcesses } from '../map/processes';
import type { Scene } from '../map/scene';
import { splitName } from '../state/names';

const MARGIN = 40;
const MOST_PIXELS = 60_000_000;

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

// Text that fits a card, by a guess at the width of its letters: ideographs are wide.
function fitted(text: string, width: number, size: number): string {
  let used = 0;
  let out = '';
  for (const letter of text) {
    used += letter.codePointAt(0)! > 0x2e7f ? size : size * 0.58;
    if (used > width) return `${out}…`;
    out += letter;
  }
  return out;
}

export interface Palette {
  background: string;
  card: string;
  border: string;
  text: string;
  muted: string;
  line: string;
  added: string;
  gone: string;
  bad: string;
  colour: (name: string) => string; // of a `var(--…)`
}

function cardSvg(scene: Scene, id: string, at: Point, height: number, palette: Palette): string {
  const card = scene.cards.get(id);
  const stack = scene.stacks.get(id);
  const group = scene.closed.get(id);
  const text = (x: number, y: number, size: number, fill: string, value: string, more = '') =>
    `<text x="${at.x + x}" y="${at.y + y}" font-size="${size}" fill="${fill}"${more}><title>${escaped(value)}</title>${escaped(fitted(value, CARD_WIDTH - x - 12, size))}</text>`;
  const edge = card?.hit ? palette.bad : card?.change === 'added' ? palette.added : card?.isFocus ? palette.line : palette.border;
  const dash = stack || card?.change === 'gone' ? ' stroke-dasharray="5 4"' : '';
  const rect = `<rect x="${at.x}" y="${at.y}" width="${CARD_WIDTH}" height="${height}" rx="6" fill="${palette.card}" stroke="${edge}"${dash}/>`;
  if (stack) return rect + text(14, 28, 13, palette.text, `${stack.members.length + stack.left} · ${stack.family ?? (stack.database || '…')}`);
  if (group) return rect + text(14, 28, 13, palette.text, `${group.name} · ${group.count}`);
  if (!card) return '';
  const { database, table } = splitName(card.dataset.name);
  const bar = card.tint ? `<rect x="${at.x}" y="${at.y}" width="5" height="${height}" fill="${palette.colour(card.tint)}"/>` : '';
  const rows = (card.open?.rows ?? []).map((name, index) => text(14, HEAD_HEIGHT + SEARCH_HEIGHT + ROW_HEIGHT * index + 15, 11, palette.text, name));
  const mark = card.dataset.quality === 'fail' ? `<circle cx="${at.x + CARD_WIDTH - 14}" cy="${at.y}" r="8" fill="${palette.bad}"/><text x="${at.x + CARD_WIDTH - 14}" y="${at.y + 4}" font-size="11" font-weight="700" text-anchor="middle" fill="${palette.card}">!</text>` : '';
  return rect + bar + mark + text(14, 18, 11, palette.muted, database) + text(14, 36, 13, palette.text, table, ' font-weight="600"') + rows.join('');
}

// A statement: its mark, with what it does.
function markSvg(scene: Scene, box: Box, palette: Palette): string {
  const { process } = scene.processes.get(box.id)!;
  const what = `${process.mode ?? process.operation}${process.runs > 0 ? ` ×${process.runs}` : ''}`;
  const rect = `<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" rx="${box.height / 2}" fill="${palette.background}" stroke="${palette.border}"/>`;
  const text = `<text x="${box.x + box.width / 2}" y="${box.y + 15}" font-size="10" text-anchor="middle" fill="${palette.text}"><title>${escaped(what)}</title>${escaped(fitted(what, box.width - 8, 10))}</text>`;
  return rect + text;
}

export function svgOf(scene: Scene, places: Map<string, Point>, palette: Palette): { text: string; width: number; height: number } {
  const boxes = scene.items.filter((item) => places.has(item.id)).map((item) => ({ id: item.id, ...places.get(item.id)!, width: CARD_WIDTH, height: item.height }));
  const marks = placeProcesses([...scene.processes.values()], places);
  const all = boundsOf([...boxes, ...marks]);
  // Where lines leave and reach what stands at an end: the middle of its head.
  const ends = new Map([...boxes.map((box) => [box.id, { ...box, height: HEAD_HEIGHT }] as const), ...marks.map((box) => [box.id, box] as const)]);
  const lines = scene.edges.flatMap((edge) => {
    const from = ends.get(edge.source);
    const to = ends.get(edge.target);
    if (!from || !to) return [];
    const style = edge.data.style.split(' ');
    const gone = style.includes('change-gone');
    const colour = gone ? palette.gone : style.includes('change-added') ? palette.added : style.includes('trail') ? palette.bad : palette.line;
    const dash = gone ? ' stroke-dasharray="7 5"' : style.includes('indirect') ? ' stroke-dasharray="1 5" stroke-linecap="round"' : '';
    const width = style.includes('superseded') ? 0.8 : 1.6;
    const list = edge.data.lines.length > 0 ? edge.data.lines : [{ from: 0, to: 0 }];
    const d = list
      .map((line) => curve({ x: from.x + from.width, y: from.y + from.height / 2 + line.from }, { x: to.x, y: to.y + to.height / 2 + line.to }))
      .join('');
    return [`<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}"${dash}${style.includes('dim') ? ' opacity="0.25"' : ''}/>`];
  });
  const cards = [...boxes.map((box) => cardSvg(scene, box.id, box, box.height, palette)), ...marks.map((box) => markSvg(scene, box, palette))];
  const [width, height] = [Math.ceil(all.width + 2 * MARGIN), Math.ceil(all.height + 2 * MARGIN)];
  const view = `${Math.floor(all.x - MARGIN)} ${Math.floor(all.y - MARGIN)} ${width} ${height}`;
  const background = `<rect x="${Math.floor(all.x - MARGIN)}" y="${Math.floor(all.y - MARGIN)}" width="${width}" height="${height}" fill="${palette.background}"/>`;
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${view}" font-family="system-ui, 'Noto Sans', 'Noto Sans CJK SC', sans-serif">${background}${lines.join('')}${cards.join('')}</svg>`;
  return { text, width, height };
}

function paletteOfPage(): Palette {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(name).trim();
  return {
    background: of('--background'),
    card: of('--surface'),
    border: of('--border-strong'),
    text: of('--text'),
    muted: of('--muted'),
    line: of('--line'),
    added: of('--added'),
    gone: of('--gone'),
    bad: of('--bad'),
    colour: (name) => of(/var\((--[\w-]+)\)/.exec(name)?.[1] ?? '--border') || of('--border'),
  };
}

export function download(name: string, type: string, content: string | Blob): void {
  const blob = typeof content === 'string' ? new Blob([content], { type }) : content;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function exportSvg(name: string, scene: Scene, places: Map<string, Point>): void {
  download(`${name}.svg`, 'image/svg+xml', svgOf(scene, places, paletteOfPage()).text);
}

// Twice the size of the screen where a browser's canvas can hold that.
export async function exportPng(name: string, scene: Scene, places: Map<string, Point>): Promise<void> {
  const { text, width, height } = svgOf(scene, places, paletteOfPage());
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const scale = Math.min(2, Math.sqrt(MOST_PIXELS / (width * height)));
  const canvas = document.createElement('canvas');
  canvas.width = Math.floor(width * scale);
  canvas.height = Math.floor(height * scale);
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (blob) download(`${name}.png`, 'image/png', blob);
}
