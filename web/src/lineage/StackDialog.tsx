// The tables of a stack, hottest first, to pick from.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Graph } from '../state/graph';
import type { Stack } from '../state/visible';
import { number } from '../ui/time';
import { Dialog, Empty, TableLink } from '../ui/parts';

export interface StackDialogProps {
  stack: Stack;
  graph: Graph;
  shown: string[];
  toggle: (id: string) => void;
  more: () => void;
  close: () => void;
}

export function StackDialog({ stack, graph, shown, toggle, more, close }: StackDialogProps) {
  const { t, i18n } = useTranslation();
  const [text, setText] = useState('');
  const anchor = graph.tables.get(stack.anchor)?.dataset.name ?? '';
  const members = [...stack.members, ...shown.filter((id) => !stack.members.includes(id) && graph.tables.get(id)?.dataset.database === stack.database)];
  const datasets = members
    .map((id) => graph.tables.get(id)?.dataset)
    .filter((one) => one !== undefined)
    .filter((one) => `${one.name} ${one.comment ?? ''}`.toLowerCase().includes(text.toLowerCase()))
    .sort((a, b) => b.heat - a.heat);
  return (
    <Dialog title={t(`stack.title_${stack.side}`, { name: anchor })} description={t('stack.order')} close={close}>
      <input type="search" value={text} placeholder={t('stack.find')} aria-label={t('stack.find')} onChange={(event) => setText(event.target.value)} />
      {datasets.length === 0 && <Empty>{t('stack.none')}</Empty>}
      <ul className="stack-list">
        {datasets.map((one) => (
          <li key={one.id}>
            <label>
              <input type="checkbox" checked={shown.includes(one.id)} onChange={() => toggle(one.id)} />
              <span className="ellipsis" title={one.name}>
                {one.name}
              </span>
            </label>
            <span className="muted" title={t('list.heat')}>
              {number(one.heat, i18n.language)}
            </span>
            <TableLink name={one.name} namespace={one.namespace} />
          </li>
        ))}
      </ul>
      {stack.left > 0 && (
        <button className="button" onClick={more}>
          {t('stack.more', { count: stack.left })}
        </button>
      )}
    </Dialog>
  );
}
