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

// The same word has the same colour on every page.
function wordTint(word: string | null): Tint {
  if (!word) return { colour: 'var(--category-none)', label: 'lens.unknown' };
  let sum = 0;
  for (const letter of word) sum = (sum * 31 + letter.codePointAt(0)!) % 9973;
  return { colour: `var(--category-${sum % CATEGORIES})`, label: word };
}

function layerTint(layer: string | null): Tint {
  if (!layer) return { colour: 'var(--category-none)', label: 'lens.unknown' };
  const at = LAYERS.indexOf(layer);
  return at < 0 ? wordTint(layer) : { colour: `var(--layer-${layer})`, label: layer };
}

// The worst that there is to say of a table.
function statusTint(dataset: Dataset, keeping: Keeping | undefined): Tint {
  if (dataset.status === 'offline') return { colour: 'var(--status-offline)', label: 'lens.offline' };
  if (keeping?.failed) return { colour: 'var(--status-failed)', label: 'lens.failed' };
  if (dataset.status === 'unknown') return { colour: 'var(--status-unknown)', label: 'lens.uncatalogued' };
  return { colour: 'var(--status-good)', label: 'lens.good' };
}

export function tintOf(lens: Lens, dataset: Dataset, now: number, keeping?: Keeping): Tint | null {
  switch (lens) {
    case 'heat':
      return heatTint(dataset.heat);
    case 'freshness':
      return ageTint(dataset.last_written, now);
    case 'status':
      return statusTint(dataset, keeping);
    case 'owner':
      return wordTint(ownerOf(dataset.owner, keeping));
    case 'engine':
      return wordTint(dataset.engine);
    case 'database':
      return wordTint(dataset.database);
    case 'layer':
      return layerTint(dataset.layer);
    case 'none':
      return null;
  }
}

const ORDER = [...HEATS, ...AGES].map((entry) => entry[1]).concat('lens.never', 'lens.failed', 'lens.uncatalogued', 'lens.offline', 'lens.good');

// What of the lens is in the picture, with how many tables have it.
export function legendOf(lens: Lens, datasets: Dataset[], now: number, keepings: Map<string, Keeping> = new Map()): (Tint & { count: number })[] {
  const entries = new Map<string, Tint & { count: number }>();
  for (const dataset of datasets) {
    const tint = tintOf(lens, dataset, now, keepings.get(dataset.id));
    if (!tint) return [];
    const entry = entries.get(tint.label);
    if (entry) entry.count += 1;
    else entries.set(tint.label, { ...tint, count: 1 });
  }
  const rank = (label: string) => (ORDER.includes(label) ? ORDER.indexOf(label) : LAYERS.includes(label) ? LAYERS.indexOf(label) : 99);
  return [...entries.values()].sort((a, b) => rank(a.label) - rank(b.label) || b.count - a.count);
}
