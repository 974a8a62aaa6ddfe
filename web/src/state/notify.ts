// Whom to tell where a check failed, and in which words. Pure functions.
import type { Check, HitTable } from '../api/types';

const ADDRESS = /^[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@,;<>"]+$/;
const MOST_ADDRESSES = 50; // a longer address of a mail is cut by programs
const MOST_TABLES = 30;

// The owner that the catalog names, else who writes the table most.
export const keeperOf = (hit: HitTable): string | null => hit.dataset.owner ?? hit.writers[0] ?? null;

// Keepers, each once, those of the nearest tables first.
export const keepersOf = (hits: HitTable[]): string[] => [...new Set(hits.map(keeperOf).filter((one) => one !== null))];

export const addressesOf = (hits: HitTable[]): string[] => keepersOf(hits).filter((one) => ADDRESS.test(one));

export const placeOf = (check: Check): string => (check.column === null ? check.table : `${check.table}.${check.column}`);

function tableLine(hit: HitTable): string {
  return hit.columns.length > 0 ? `${hit.dataset.name} (${hit.columns.join(', ')})` : hit.dataset.name;
}

export interface MailWords {
  subject: string;
  intro: string;
  more: (count: number) => string;
}

export function mailOf(check: Check, hits: HitTable[], words: MailWords): string {
  const lines = [words.intro, ...(check.message ? [check.message] : []), '', ...hits.slice(0, MOST_TABLES).map(tableLine)];
  if (hits.length > MOST_TABLES) lines.push(words.more(hits.length - MOST_TABLES));
  const to = addressesOf(hits).slice(0, MOST_ADDRESSES).map(encodeURIComponent).join(',');
  return `mailto:${to}?subject=${encodeURIComponent(words.subject)}&body=${encodeURIComponent(lines.join('\r\n'))}`;
}

// One table a line with tabs between, as spreadsheets and chats take it.
export function textOf(hits: HitTable[], head: string[]): string {
  const rows = hits.map((hit) => [hit.dataset.name, hit.columns.join(', '), keeperOf(hit) ?? '', hit.readers.join(', ')]);
  return [head, ...rows].map((row) => row.join('\t')).join('\n') + '\n';
}
