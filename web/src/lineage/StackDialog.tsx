// The tables of a stack, hottest first, to pick from.
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Graph } from '../state/graph';
import type { Stack } from '../state/visible';
import { number } from '../ui/time';
import { Dialog, Empty, Progress, TableLink } from '../ui/parts';
import { useWindow } from '../ui/useWindow';

const ROW_HEIGHT = 28;

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
  const seen = useWindow(datasets.length, ROW_HEIGHT);
  // The next page comes when the end of the list is near; what is looked for may be on any page.
  const waiting = stack.left > 0 && (text !== '' || seen.end >= datasets.length);
  useEffect(() => {
    if (waiting) more();
  }, [waiting, stack.left]); // eslint-disable-line -- `more` is made anew at every rendering
  return (
    <Dialog title={t(`stack.title_${stack.side}`, { name: anchor })} description={t('stack.order')} close={close}>
      <input type="search" value={text} placeholder={t('stack.find')} aria-label={t('stack.find')} onChange={(event) => setText(event.target.value)} />
      {datasets.length === 0 && <Empty>{t('stack.none')}</Empty>}
      {waiting && <Progress what={t('stack.loading', { count: stack.left })} />}
      <ul className="stack-list" ref={seen.ref} tabIndex={0} aria-label={t('stack.order')}>
        <li aria-hidden="true" style={{ height: seen.first * ROW_HEIGHT }} />
        {datasets.slice(seen.first, seen.end).map((one, index) => (
          <li key={one.id} aria-setsize={datasets.length + stack.left} aria-posinset={seen.first + index + 1}>
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
        <li aria-hidden="true" style={{ height: Math.max(0, datasets.length - seen.end) * ROW_HEIGHT }} />
      </ul>
    </Dialog>
  );
}
