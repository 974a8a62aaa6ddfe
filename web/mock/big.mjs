// A picture of the size that the page is measured with: 150 tables of 20 columns, 3,000 column edges between them,
// all within reach of `dws.core`.
import { NOW, Warehouse } from './model.mjs';

const LAYERS = [['ods', 40], ['dwd', 45], ['dws', 35], ['ads', 30]];
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
  for (let layer = 1; layer < layers.length; layer++)
    for (const target of layers[layer]) add(layers[layer - 1][Math.floor(next() * layers[layer - 1].length)], target);
  for (const source of layers[0]) add(source, layers[1][Math.floor(next() * layers[1].length)]);
  for (const source of layers[1]) add(source, 'dws.core');
  while (pairs.size < 387) {
    const layer = 1 + Math.floor(next() * 3);
    add(layers[layer - 1][Math.floor(next() * next() * layers[layer - 1].length)], layers[layer][Math.floor(next() * layers[layer].length)]);
  }
  for (const name of layers[3]) add('dws.core', name);
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
