// Where lines end on a card: the middles of the left and right side of its head.
import { Handle, Position } from '@xyflow/react';

export function Ends() {
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </>
  );
}
