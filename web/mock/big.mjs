// A picture of the size that the page is measured with: 150 tables of 20 columns, 3,000 column edges between them,
// all within reach of `dws.core`.
import { NOW, Warehouse } from './model.mjs';

const LAYERS = [['ods', 40], ['dwd', 50], ['dws', 1], ['dm', 35], ['ads', 24]];
const COLUMNS = 20;
const EDGES = 3000;

function random(seed) {
  let state = seed;
  return () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
}

export function big() {
  const w = new Warehouse();
  const next = random(7);
  const layers = LAYERS.map(([database, count]) => Array.from({ length: count }, (_, i) => `${database}.t${String(i).padStart(3, '0')}`));
  layers[2][0] = 'dws.core';
  for (const names of layers)
    for (const name of names)
      w.table(name, Array.from({ length: COLUMNS }, (_, i) => `c${String(i).padStart(2, '0')} double`), { heat: Math.floor(next() * 1000) });
  const pairs = new Map();
  const add = (source, target) => pairs.set(`${source}>${target}`, { source, target, maps: [] });
  const one = (list) => list[Math.floor(next() * next() * list.length)];
  const [ods, dwd, [core], dm, ads] = layers;
  for (const source of ods) add(source, one(dwd));
  for (const source of dwd) add(source, core);
  for (const target of dm) add(core, target);
  for (const target of ads) add(one(dm), target);
  while (pairs.size < 387) next() < 0.6 ? add(one(ods), one(dwd)) : add(one(dm), one(ads));
  const list = [...pairs.values()];
  for (let i = 0; i < EDGES; i++) list[i % list.length].maps.push([i, Math.floor(next() * COLUMNS)]);
  for (const { source, target, maps } of list)
    w.statement(target, maps.map(([i, from]) => {
      const name = `c${String(Math.floor(i / list.length) * 2 % COLUMNS + (i % 2)).padStart(2, '0')}`;
      const column = `c${String(from).padStart(2, '0')}`;
      return [name, [`${source}.${column}`], column, 'identity'];
    }), { last: NOW - 1000 });
  return w;
}
