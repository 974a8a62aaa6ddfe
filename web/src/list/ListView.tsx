// The list beside the picture: all that is up- or downstream of the table, not only what is drawn. Rows that are drawn
// can be locked, others are added to the picture by picking them.
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GraphAnswer } from '../api/types';
import { useQuery } from '../api/use';
import { download } from '../export/picture';
import { useKeepings } from '../map/useKeepings';
import type { Lock } from '../state/lock';
import { shortOf } from '../state/names';
import { ownerOf } from '../state/owner';
import { samePin, withPin, type View } from '../state/view';
import { Empty, Failure, Progress, TableLink, Tag } from '../ui/parts';
import { ago, moment, number } from '../ui/time';
import { csvOf, matches, sorted, sortOf, SORT_KEYS, type ListRow, type SortKey } from './rows';

const NUMBERS: SortKey[] = ['level', 'heat', 'users'];
const MOST_ROWS = 2000;
const MOST_SHOWN = 500;

export interface ListViewProps {
  view: View;
  setView: (view: View, how?: 'push' | 'replace') => void;
  namespace: string;
  lock: Lock | null;
  now: number;
}

function useRows(view: View) {
  const answer = useQuery<GraphAnswer>(view.focus ? '/graph' : null, {
    name: view.focus,
    namespace: view.namespace,
    direction: view.side,
    depth: 100,
    limit: MOST_ROWS,
    indirect: view.indirect,
    without_hubs: view.indirect && !view.hubs,
    offline: view.offline,
    temporary: view.temporary,
    as_of: view.asOf,
  });
  const nodes = useMemo(() => (answer.data?.nodes ?? []).filter((node) => node.level !== 0), [answer.data]);
  const ids = useMemo(() => nodes.map((node) => node.dataset.id), [nodes]);
  const keepings = useKeepings(ids);
  const rows = useMemo<ListRow[]>(
    () =>
      nodes.map(({ dataset, level }) => ({
        dataset: { ...dataset, owner: ownerOf(dataset.owner, keepings.get(dataset.id)) },
        level,
        failed: keepings.get(dataset.id)?.failed?.time ?? null,
      })),
    [nodes, keepings],
  );
  return { ...answer, rows, more: answer.data?.more[view.side] ?? 0 };
}

export function ListView({ view, setView, namespace, lock, now }: ListViewProps) {
  const { t, i18n } = useTranslation();
  const list = useRows(view);
  const rows = useMemo(() => sorted(list.rows.filter((row) => matches(row, view.filter)), view.sort), [list.rows, view.filter, view.sort]);
  const order = sortOf(view.sort);
  const turn = (key: SortKey) => {
    const sort = order?.key !== key ? (key === 'heat' || key === 'users' || key.startsWith('last') ? `-${key}` : key) : order.falling ? key : `-${key}`;
    setView({ ...view, sort }, 'replace');
  };
  const pick = (row: ListRow, add: boolean) => {
    const table = shortOf(namespace, row.dataset.id);
    const shown = view.shown.includes(table) ? view.shown : [...view.shown, table];
    setView({ ...view, shown, pins: withPin(view.pins, { table, column: null }, add) });
  };
  const side = (value: 'up' | 'down') => (
    <button key={value} aria-pressed={view.side === value} onClick={() => setView({ ...view, side: value })}>
      {t(`list.${value}`)}
    </button>
  );
  return (
    <section className="list" aria-label={t('list.title')}>
      <div className="list-bar">
        <span className="segments" role="group" aria-label={t('list.direction')}>
          {side('up')}
          {side('down')}
        </span>
        <input
          type="search"
          value={view.filter}
          placeholder={t('list.filter')}
          aria-label={t('list.filter')}
          title={t('list.filter_help')}
          onChange={(event) => setView({ ...view, filter: event.target.value }, 'replace')}
        />
        <span className="muted" role="status">
          {t('list.count', { count: rows.length })}
        </span>
        <span className="grow" />
        <button className="button" disabled={rows.length === 0} onClick={() => download(`${view.focus}_${view.side}.csv`, 'text/csv', csvOf(rows))}>
          CSV
        </button>
      </div>
      {list.slow && <Progress />}
      {list.error && <Failure what={t('error.list')} error={list.error} again={list.again} />}
      {list.more > 0 && <p className="notice">{t('list.cut', { count: list.more })}</p>}
      {list.data && rows.length === 0 && <Empty>{view.filter ? t('list.nothing_left') : t(`list.none_${view.side}`)}</Empty>}
      {rows.length > 0 && (
        <div className="scroll" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {SORT_KEYS.map((key) => (
                  <th key={key} className={NUMBERS.includes(key) ? 'number' : undefined} aria-sort={order?.key === key ? (order.falling ? 'descending' : 'ascending') : 'none'}>
                    <button className="sort" onClick={() => turn(key)}>
                      {t(`list.${key}`)}
                      {order?.key === key && <span aria-hidden="true">{order.falling ? ' ▾' : ' ▴'}</span>}
                    </button>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, MOST_SHOWN).map((row) => {
                const { dataset } = row;
                const table = shortOf(namespace, dataset.id);
                const pinned = view.pins.some((pin) => samePin(pin, { table, column: null }));
                const dim = lock !== null && !lock.tables.has(dataset.id);
                return (
                  <tr key={dataset.id} className={[pinned && 'chosen', dim && 'dim'].filter(Boolean).join(' ')}>
                    <td className="number">{Math.abs(row.level)}</td>
                    <td>
                      <button className="pin" aria-pressed={pinned} aria-label={t('list.pin', { name: dataset.name })} title={t('list.pin', { name: dataset.name })} onClick={(event) => pick(row, event.shiftKey)}>
                        {pinned ? '●' : '○'}
                      </button>{' '}
                      <TableLink name={dataset.name} namespace={dataset.namespace} />
                      {dataset.quality === 'fail' && (
                        <button
                          className="tag tag-bad"
                          aria-label={t('map.check_failed', { name: dataset.name })}
                          title={t('map.check_failed', { name: dataset.name })}
                          onClick={() => setView({ ...view, edge: null, check: { table, picked: null } })}
                        >
                          {t('lens.check_fail')}
                        </button>
                      )}
                      {row.failed !== null && (
                        <Tag kind="bad" title={t('map.failed_at', { when: moment(row.failed) })}>
                          {t('map.failed')}
                        </Tag>
                      )}
                    </td>
                    <td>{dataset.database ?? '—'}</td>
                    <td>{dataset.owner ?? '—'}</td>
                    <td className="number">{number(dataset.heat, i18n.language)}</td>
                    <td className="number">{number(dataset.users, i18n.language)}</td>
                    <td title={moment(dataset.last_read)}>{ago(dataset.last_read, now, i18n.language)}</td>
                    <td title={moment(dataset.last_written)}>{ago(dataset.last_written, now, i18n.language)}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
          {rows.length > MOST_SHOWN && <p className="notice">{t('list.first', { count: MOST_SHOWN })}</p>}
        </div>
      )}
    </section>
  );
}
