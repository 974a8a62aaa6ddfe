// Statements as nodes: which are drawn, and where they stand.
import { describe, expect, it } from 'vitest';
import type { Keeping, Process } from '../src/api/types';
import { CARD_WIDTH, LEVEL_GAP } from '../src/map/geometry';
import { placeProcesses, processNodes, PROCESS_HEIGHT, PROCESS_WIDTH } from '../src/map/processes';
import { legendOf, paletteOf, tintOf } from '../src/state/lens';
import { ownerOf } from '../src/state/owner';
import { table } from './make';

const process = (sources: string[], targets: string[]): Process => ({
  fingerprint: `${sources}>${targets}`, engine: 'hive', operation: 'insert', mode: 'append', state: 'current', evidence: 'ran', runs: 1, last_run: 0, query_id: null, script: null,
  sources, targets,
});

describe('statements as nodes', () => {
  it('join only cards that are drawn, and that an edge joins', () => {
    const drawn = new Set(['a', 'b', 'c']);
    const nodes = processNodes([process(['a', 'x'], ['b', 'c']), process(['x'], ['b']), process(['c'], ['a'])], drawn, new Set(['a\nb', 'x\nb']));
    expect(nodes.map((node) => [node.sources, node.targets])).toEqual([[['a'], ['b']]]);
  });
  it('stand in the gap before what they write, one below the other', () => {
    const places = new Map([['a', { x: 0, y: 0 }], ['b', { x: CARD_WIDTH + LEVEL_GAP, y: 0 }]]);
    const nodes = processNodes([process(['a'], ['b']), process(['a'], ['b'])], new Set(['a', 'b']), new Set(['a\nb']));
    const boxes = placeProcesses(nodes, places);
    expect(boxes.map((box) => box.x)).toEqual([CARD_WIDTH + (LEVEL_GAP - PROCESS_WIDTH) / 2, CARD_WIDTH + (LEVEL_GAP - PROCESS_WIDTH) / 2]);
    expect(boxes[1]!.y - boxes[0]!.y).toBeGreaterThanOrEqual(PROCESS_HEIGHT);
    expect((boxes[0]!.y + boxes[1]!.y) / 2 + PROCESS_HEIGHT / 2).toBe(24);
  });
  it('leave the places of cards as they are', () => {
    const places = new Map([['a', { x: 0, y: 0 }], ['b', { x: 400, y: 90 }]]);
    const before = JSON.stringify([...places]);
    placeProcesses(processNodes([process(['a'], ['b'])], new Set(['a', 'b']), new Set(['a\nb'])), places);
    expect(JSON.stringify([...places])).toBe(before);
  });
});

describe('who keeps a table', () => {
  const keeping: Keeping = { dataset: 'm#d.t', owner: null, writers: [{ user: 'etl', writes: 9 }, { user: 'lin', writes: 1 }], failed: null };
  it('is the owner, else who writes it most', () => {
    expect(ownerOf('chen', keeping)).toBe('chen');
    expect(ownerOf(null, keeping)).toBe('etl');
    expect(ownerOf(null, undefined)).toBeNull();
  });
  it('has a colour of his own in a picture, and keeps it when tables come', () => {
    const owners = ['wu', 'zhou', 'lin', 'chen', 'ma', 'etl'];
    const tables = owners.map((owner) => table(`d.${owner}`, { owner }));
    const all = paletteOf('owner', tables);
    expect(new Set(all.values()).size).toBe(owners.length);
    for (const [owner, slot] of paletteOf('owner', tables.slice(0, 3))) expect(all.get(owner)).toBe(slot);
  });
  it('colours by the lens of owners, and of status the worst counts', () => {
    const failed = { ...keeping, failed: { time: 1, user: null, query_id: 'q', status: 'ERROR' } };
    const keepings = new Map([['m#d.t', failed]]);
    expect(tintOf('owner', table('d.t'), 0, keeping)?.label).toBe('etl');
    expect(tintOf('status', table('d.t'), 0, failed)?.label).toBe('lens.failed');
    expect(tintOf('status', table('d.t', { status: 'offline' }), 0, failed)?.label).toBe('lens.offline');
    expect(legendOf('status', [table('d.u'), table('d.t'), table('d.v', { status: 'unknown' })], 0, keepings).map((one) => one.label)).toEqual(['lens.failed', 'lens.uncatalogued', 'lens.good']);
  });
});
