// Siblings that are not drawn one by one, and the frames and closed groups.
import type { Node, NodeProps } from '@xyflow/react';
import { memo, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { FarContext, useMapActions } from './actions';
import { Ends } from './Ends';

export interface StackCardData extends Record<string, unknown> {
  stack: string;
  database: string;
  family: string | null;
  count: number;
}

export type StackCardNode = Node<StackCardData, 'stack'>;

function StackCardView({ data }: NodeProps<StackCardNode>) {
  const { t } = useTranslation();
  const far = useContext(FarContext);
  const actions = useMapActions();
  const text = data.family
    ? t('map.stack_family', { count: data.count, family: data.family })
    : data.database ? t('map.stack_in', { count: data.count, database: data.database }) : t('map.stack', { count: data.count });
  return (
    <>
      <button className={`stack nodrag${far ? ' far' : ''}`} aria-haspopup="dialog" onClick={() => actions.openStack(data.stack)}>
        {text}
      </button>
      <Ends />
    </>
  );
}

export const StackCard = memo(StackCardView);

export interface GroupData extends Record<string, unknown> {
  name: string;
  count: number;
  shut: boolean;
}

export type GroupNode = Node<GroupData, 'frame'>;

function GroupView({ data }: NodeProps<GroupNode>) {
  const { t } = useTranslation();
  const actions = useMapActions();
  return (
    <div className={`group${data.shut ? ' shut' : ''}`}>
      <button className="nodrag" aria-expanded={!data.shut} onClick={() => actions.toggleGroup(data.name)}>
        {data.shut ? '▸' : '▾'} {data.name} <small>{t('map.tables', { count: data.count })}</small>
      </button>
      {data.shut && <Ends />}
    </div>
  );
}

export const Group = memo(GroupView);
