// A statement as a node: what it does, how often it ran. Enter or a click shows it.
import type { Node, NodeProps } from '@xyflow/react';
import { Handle, Position } from '@xyflow/react';
import { memo, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { number } from '../ui/time';
import { FarContext, useMapActions } from './actions';

export interface ProcessCardData extends Record<string, unknown> {
  opens: { source: string; target: string; statement: string };
  mode: string;
  runs: number;
  evidence: string;
  about: string; // the statement in words: what it reads and writes
  dim: boolean;
}

export type ProcessCardNode = Node<ProcessCardData, 'process'>;

function ProcessCardView({ data }: NodeProps<ProcessCardNode>) {
  const { t, i18n } = useTranslation();
  const far = useContext(FarContext);
  const actions = useMapActions();
  const what = t(`process.${data.mode}`, { defaultValue: data.mode });
  const runs = data.runs > 0 ? ` ×${number(data.runs, i18n.language)}` : '';
  return (
    <>
      <button
        className={['process', `seen-${data.evidence}`, 'nodrag', far && 'far', data.dim && 'dim'].filter(Boolean).join(' ')}
        title={data.about}
        aria-label={data.about}
        onClick={() => actions.openEdge(data.opens.source, data.opens.target, data.opens.statement)}
      >
        {!far && what + runs}
      </button>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </>
  );
}

export const ProcessCard = memo(ProcessCardView);
