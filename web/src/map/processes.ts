// Statements as nodes: a small mark in the gap before what it writes, with lines from what it reads. They are put onto
// a picture that stands, so that switching them on moves nothing. Pure functions.
import type { Process } from '../api/types';
import { edgeKey } from '../state/graph';
import { CARD_WIDTH, HEAD_HEIGHT, LEVEL_GAP, type Box, type Point } from './geometry';

export const PROCESS_WIDTH = 84;
export const PROCESS_HEIGHT = 22;
const SPACE = 5;

export interface ProcessNode {
  id: string;
  process: Process;
  sources: string[]; // ids of cards
  targets: string[];
}

// Those of the statements that join cards of the picture. `pairs` are the edges that it has.
export function processNodes(processes: Process[], drawn: Set<string>, pairs: Set<string>): ProcessNode[] {
  const nodes: ProcessNode[] = [];
  processes.forEach((process, index) => {
    const sources = process.sources.filter((id) => drawn.has(id) && process.targets.some((target) => pairs.has(edgeKey(id, target))));
    const targets = process.targets.filter((id) => drawn.has(id) && sources.some((source) => pairs.has(edgeKey(source, id))));
    if (sources.length > 0 && targets.length > 0) nodes.push({ id: `process\n${process.fingerprint}\n${index}`, process, sources, targets });
  });
  return nodes;
}

const mean = (values: number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

function wantedPlace(node: ProcessNode, places: Map<string, Point>): Point | null {
  const from = node.sources.map((id) => places.get(id)).filter((at) => at !== undefined);
  const to = node.targets.map((id) => places.get(id)).filter((at) => at !== undefined);
  if (from.length === 0 || to.length === 0) return null;
  const x = Math.min(...to.map((at) => at.x)) - (LEVEL_GAP + PROCESS_WIDTH) / 2;
  const y = mean([mean(from.map((at) => at.y)), mean(to.map((at) => at.y))]) + (HEAD_HEIGHT - PROCESS_HEIGHT) / 2;
  return { x, y };
}

// One below the other where several want one place; those that stand together keep their middle.
export function placeProcesses(nodes: ProcessNode[], places: Map<string, Point>): Box[] {
  const boxes: Box[] = [];
  const spread = (run: Box[]) => {
    const middle = mean(run.map((box) => box.y));
    run.forEach((box, index) => (box.y = middle + (index - (run.length - 1) / 2) * (PROCESS_HEIGHT + SPACE)));
  };
  for (const node of nodes) {
    const at = wantedPlace(node, places);
    if (at) boxes.push({ id: node.id, ...at, width: PROCESS_WIDTH, height: PROCESS_HEIGHT });
  }
  boxes.sort((a, b) => a.x - b.x || a.y - b.y);
  let run: Box[] = [];
  for (const box of boxes) {
    const last = run[run.length - 1];
    const crowds = last && Math.abs(last.x - box.x) < CARD_WIDTH && box.y < last.y + PROCESS_HEIGHT + SPACE;
    if (crowds) run.push(box);
    else run = [box];
    if (run.length > 1) spread(run);
  }
  return boxes;
}
