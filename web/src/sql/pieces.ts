// SQL cut into pieces of one look: words, strings, comments, and ranges that are marked. Places of the API are bytes
// of UTF-8; they are led over to places of the text here. Pure functions.

export interface Range {
  start: number; // bytes
  end: number;
  kind: string; // class name
  title?: string;
}

export interface Piece {
  text: string;
  token: 'plain' | 'keyword' | 'string' | 'comment' | 'number';
  marks: string[];
  title?: string;
}

const KEYWORDS = new Set(
  `add all alter and as asc between by case cast cluster column columns compute create cross current database delete desc describe distinct
  distribute drop else end except exists external false following from full function group having if in inner insert intersect into invalidate is
  join lateral left like limit location map merge metadata not null on or order outer over overwrite partition partitioned preceding refresh right
  row rows select semi set sort stats stored string table tblproperties then true truncate union unbounded update upsert use using values view when
  where window with`.split(/\s+/),
);

const TOKEN = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:\\[\s\S]|''|[^'\\])*'?|"(?:\\[\s\S]|""|[^"\\])*"?|`[^`]*`?|[\p{L}_][\p{L}\p{N}_]*|\d[\d.]*|[\s\S]/gu;

function tokenOf(text: string): Piece['token'] {
  if (text.startsWith('--') || text.startsWith('/*')) return 'comment';
  if (text[0] === "'" || text[0] === '"') return 'string';
  if (/^\d/.test(text)) return 'number';
  return KEYWORDS.has(text.toLowerCase()) ? 'keyword' : 'plain';
}

// Places in bytes to places in the text, for the places asked for.
export function textPlaces(sql: string, places: number[]): Map<number, number> {
  const wanted = [...new Set(places)].sort((a, b) => a - b);
  const found = new Map<number, number>();
  let bytes = 0;
  let at = 0;
  let next = 0;
  for (const letter of sql) {
    while (next < wanted.length && wanted[next]! <= bytes) found.set(wanted[next++]!, at);
    const code = letter.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    at += letter.length;
  }
  while (next < wanted.length) found.set(wanted[next++]!, at);
  return found;
}

export function piecesOf(sql: string, ranges: Range[]): Piece[] {
  const places = textPlaces(sql, ranges.flatMap((range) => [range.start, range.end]));
  const marks = ranges.map((range) => ({ ...range, start: places.get(range.start)!, end: places.get(range.end)! })).filter((mark) => mark.end > mark.start);
  const cuts = [...new Set(marks.flatMap((mark) => [mark.start, mark.end]))].sort((a, b) => a - b);
  const pieces: Piece[] = [];
  let at = 0;
  let cut = 0;
  const add = (text: string, token: Piece['token']) => {
    const over = marks.filter((mark) => mark.start <= at && at + text.length <= mark.end);
    const kinds = [...new Set(over.map((mark) => mark.kind))];
    const title = over.map((mark) => mark.title).find(Boolean);
    const last = pieces[pieces.length - 1];
    if (last && last.token === token && last.marks.join() === kinds.join() && last.title === title) last.text += text;
    else pieces.push({ text, token, marks: kinds, ...(title ? { title } : {}) });
    at += text.length;
  };
  for (const match of sql.matchAll(TOKEN)) {
    let text = match[0];
    const token = tokenOf(text);
    for (;;) {
      while (cut < cuts.length && cuts[cut]! <= at) cut += 1;
      const until = cuts[cut];
      if (until === undefined || until >= at + text.length) break;
      const head = text.slice(0, until - at);
      text = text.slice(head.length);
      add(head, token);
    }
    if (text) add(text, token);
  }
  return pieces;
}
