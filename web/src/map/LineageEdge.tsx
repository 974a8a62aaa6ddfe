// The edge between two tables. When the columns of both are open it is drawn as one line for each pair of columns;
// it stays one edge, to be picked as one.
import type { Edge, EdgeProps } from '@xyflow/react';
import { memo, useContext } from 'react';
import { FarContext } from './actions';
import { curve, curveThrough, middle, type Point } from './geometry';

// How far below the middle of the heads a line begins and ends.
export interface Line {
  from: number;
  to: number;
}

export interface LineageEdgeData extends Record<string, unknown> {
  lines: Line[]; // none: one line from head to head
  litLines: Line[]; // those of a locked column
  trailLines: Line[]; // those of a column that failed a check
  via?: Point[]; // where a line from head to head is led around cards
  style: string; // class names
  uncertain: string; // the reasons, or ''
  through: string; // temporary tables that it leads through, or ''
}

export type LineageFlowEdge = Edge<LineageEdgeData, 'lineage'>;

const HEAD: Line[] = [{ from: 0, to: 0 }];

function LineageEdgeView({ sourceX, sourceY, targetX, targetY, data }: EdgeProps<LineageFlowEdge>) {
  const far = useContext(FarContext);
  if (!data) return null;
  const path = (lines: Line[]) =>
    lines.map((line) => curve({ x: sourceX, y: sourceY + line.from }, { x: targetX, y: targetY + line.to })).join('');
  const lines = far || data.lines.length === 0 ? HEAD : data.lines;
  const via = lines === HEAD ? (data.via ?? []) : [];
  const d = via.length > 0 ? curveThrough({ x: sourceX, y: sourceY }, via, { x: targetX, y: targetY }) : path(lines);
  const first = lines[0]!;
  const at = via.length > 0 ? middle(via[0]!, via[via.length - 1]!) : middle({ x: sourceX, y: sourceY + first.from }, { x: targetX, y: targetY + first.to });
  const columns = lines === data.lines;
  return (
    <g className={`line ${data.style}${columns ? ' columns' : ''}${far ? ' far' : ''}`}>
      {(data.uncertain || data.through) && <title>{[data.uncertain, data.through && `⋯ ${data.through}`].filter(Boolean).join('\n')}</title>}
      <path className="line-drawn" d={d} markerEnd={far || columns ? undefined : 'url(#arrow)'} />
      {columns && data.litLines.length > 0 && <path className="line-drawn lit" d={path(data.litLines)} />}
      {columns && data.trailLines.length > 0 && <path className="line-drawn trail" d={path(data.trailLines)} />}
      <path className="line-hit" d={d} />
      {!far && data.through && (
        <g className="line-mark">
          <rect x={at.x - 11} y={at.y - 7} width={22} height={14} rx={7} />
          <text x={at.x} y={at.y + 4}>
            ⋯
          </text>
        </g>
      )}
      {!far && data.uncertain && (
        <g className="line-mark uncertain">
          <circle cx={at.x + (data.through ? 22 : 0)} cy={at.y} r={8} />
          <text x={at.x + (data.through ? 22 : 0)} y={at.y + 4}>
            ?
          </text>
        </g>
      )}
    </g>
  );
}

export const LineageEdge = memo(LineageEdgeView);
