// Lenses colour the tables by one property. Each gives a colour and a place in the legend; colours are the variables
// of styles/theme.css, which has them for light and dark. Pure functions.
import type { Dataset, Keeping } from '../api/types';
import { ownerOf } from './owner';
import type { Lens } from './view';

export interface Tint {
  colour: string; // a CSS colour
  label: string; // a word, or the key of a text: `lens.…`
}

const DAY = 86_400_000;
const HEATS: [number, string][] = [
  [0, 'lens.unused'],
  [10, 'lens.cool'],
  [100, 'lens.warm'],
  [1000, 'lens.hot'],
  [Infinity, 'lens.very_hot'],
];
const AGES: [number, string][] = [
  [1, 'lens.day'],
  [7, 'lens.week'],
  [31, 'lens.month'],
  [Infinity, 'lens.older'],
];
const LAYERS = ['ods', 'dwd', 'dws', 'ads', 'dim', 'tmp'];
const CATEGORIES = 8;

function heatTint(heat: number): Tint {
  const index = HEATS.findIndex(([most]) => heat <= most);
  return { colour: `var(--heat-${index})`, label: HEATS[index]![1] };
}

function ageTint(time: number | null, now: number): Tint {
  if (time === null) return { colour: 'var(--age-none)', label: 'lens.never' };
  const index = AGES.findIndex(([days]) => now - time <= days * DAY);
  return { colour: `var(--age-${index})`, label: AGES[index]![1] };
}

const slotOf = (word: string): number => [...word].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 9973, 0) % CATEGORIES;

// Words that a lens tells apart, each with its own colour as long as there are enough.
export type Palette = Map<string, number>;

const NO_PALETTE: Palette = new Map();

function wordTint(word: string | null, palette: Palette): Tint {
  if (!word) return { colour: 'var(--category-none)', label: 'lens.unknown' };
  return { colour: `var(--category-${palette.get(word) ?? slotOf(word)})`, label: word };
}

function layerTint(layer: string | null, palette: Palette): Tint {
  if (!layer) return { colour: 'var(--category-none)', label: 'lens.unknown' };
  const at = LAYERS.indexOf(layer);
  return at < 0 ? wordTint(layer, palette) : { colour: `var(--layer-${layer})`, label: layer };
}

// The worst that there is to say of a table.
function statusTint(dataset: Dataset, keeping: Keeping | undefined): Tint {
  if (dataset.status === 'offline') return { colour: 'var(--status-offline)', label: 'lens.offline' };
  if (keeping?.failed) return { colour: 'var(--status-failed)', label: 'lens.failed' };
  if (dataset.status === 'unknown') return { colour: 'var(--status-unknown)', label: 'lens.uncatalogued' };
  return { colour: 'var(--status-good)', label: 'lens.good' };
}

// The worst of the newest results of its checks.
function qualityTint({ quality }: Dataset): Tint {
  if (quality === 'fail') return { colour: 'var(--status-failed)', label: 'lens.check_fail' };
  if (quality === 'warn') return { colour: 'var(--status-unknown)', label: 'lens.check_warn' };
  if (quality === 'pass') return { colour: 'var(--status-good)', label: 'lens.check_pass' };
  return { colour: 'var(--status-offline)', label: 'lens.unchecked' };
}

export function tintOf(lens: Lens, dataset: Dataset, now: number, keeping?: Keeping, palette: Palette = NO_PALETTE): Tint | null {
  switch (lens) {
    case 'heat':
      return heatTint(dataset.heat);
    case 'freshness':
      return ageTint(dataset.last_written, now);
    case 'status':
      return statusTint(dataset, keeping);
    case 'quality':
      return qualityTint(dataset);
    case 'owner':
      return wordTint(ownerOf(dataset.owner, keeping), palette);
    case 'engine':
      return wordTint(dataset.engine, palette);
    case 'database':
      return wordTint(dataset.database, palette);
    case 'layer':
      return layerTint(dataset.layer, palette);
    case 'none':
      return null;
  }
}

// A word has the same colour in every picture, unless another one of this picture, which came before it, has it already:
// then the next that is free. What is added to a picture changes no colour in it.
export function paletteOf(lens: Lens, datasets: Dataset[], keepings: Map<string, Keeping> = new Map()): Palette {
  const palette: Palette = new Map();
  if (!['owner', 'engine', 'database', 'layer'].includes(lens)) return palette;
  const taken = new Set<number>();
  for (const dataset of datasets) {
    const label = tintOf(lens, dataset, 0, keepings.get(dataset.id))!.label;
    if (label.startsWith('lens.') || palette.has(label) || (lens === 'layer' && LAYERS.includes(label))) continue;
    let slot = slotOf(label);
    for (let tries = 0; tries < CATEGORIES && taken.has(slot); tries++) slot = (slot + 1) % CATEGORIES;
    palette.set(label, slot);
    taken.add(slot);
  }
  return palette;
}

const ORDER = [...HEATS, ...AGES].map((entry) => entry[1]).concat('lens.never', 'lens.failed', 'lens.uncatalogued', 'lens.offline', 'lens.good', 'lens.check_fail', 'lens.check_warn', 'lens.check_pass', 'lens.unchecked');

// What of the lens is in the picture, with how many tables have it.
export function legendOf(lens: Lens, datasets: Dataset[], now: number, keepings: Map<string, Keeping> = new Map()): (Tint & { count: number })[] {
  const entries = new Map<string, Tint & { count: number }>();
  const palette = paletteOf(lens, datasets, keepings);
  for (const dataset of datasets) {
    const tint = tintOf(lens, dataset, now, keepings.get(dataset.id), palette);
    if (!tint) return [];
    const entry = entries.get(tint.label);
    if (entry) entry.count += 1;
    else entries.set(tint.label, { ...tint, count: 1 });
  }
  const rank = (label: string) => (ORDER.includes(label) ? ORDER.indexOf(label) : LAYERS.includes(label) ? LAYERS.indexOf(label) : 99);
  return [...entries.values()].sort((a, b) => rank(a.label) - rank(b.label) || b.count - a.count);
}
