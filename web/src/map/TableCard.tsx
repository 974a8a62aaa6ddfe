// A table in the picture: its head, its hop badges, and its columns when they are open. From far away only its name.
import type { NodeProps, Node } from '@xyflow/react';
import { memo, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column, CountedDataset, Dataset } from '../api/types';
import { splitName } from '../state/names';
import type { Side } from '../state/view';
import { moment, number } from '../ui/time';
import { FarContext, useMapActions } from './actions';
import { Ends } from './Ends';
import type { OpenCard } from './geometry';

export interface TableCardData extends Record<string, unknown> {
  dataset: CountedDataset;
  isFocus: boolean;
  open: OpenCard | undefined;
  columns: Column[] | undefined;
  query: string;
  upOpen: boolean;
  downOpen: boolean;
  upHidden: number; // sources that are not drawn
  downHidden: number;
  tint: string | null;
  lit: boolean | null; // null: nothing is locked
  litColumns: string; // names, one a line
  hit: boolean; // bad data reaches it
  hitColumns: string; // names, one a line
  pinned: string; // 'table' or names of pinned columns, one a line
  failed: number | null; // when the last write failed
  change: 'added' | 'gone' | 'kept' | null;
}

export type TableCardNode = Node<TableCardData, 'table'>;

function HopBadge({ data, side }: { data: TableCardData; side: Side }) {
  const { t, i18n } = useTranslation();
  const actions = useMapActions();
  const isOpen = side === 'up' ? data.upOpen : data.downOpen;
  const hidden = side === 'up' ? data.upHidden : data.downHidden;
  if (!isOpen && hidden <= 0) return null;
  const label = isOpen ? t(`map.close_${side}`, { name: data.dataset.name }) : t(`map.open_${side}`, { name: data.dataset.name, count: hidden });
  return (
    <button
      className={`hop hop-${side} nodrag`}
      aria-expanded={isOpen}
      aria-label={label}
      title={label}
      onClick={() => actions.toggleHop(data.dataset.id, side)}
    >
      {isOpen ? '−' : `+${number(hidden, i18n.language)}`}
    </button>
  );
}

function QualityBadge({ dataset }: { dataset: Dataset }) {
  const { t } = useTranslation();
  const actions = useMapActions();
  if (dataset.quality !== 'fail') return null;
  const label = t('map.check_failed', { name: dataset.name });
  return (
    <button className="quality nodrag" aria-label={label} title={label} onClick={() => actions.openChecks(dataset.id)}>
      !
    </button>
  );
}

const ICONS: Record<string, string> = { view: 'V', materialized_view: 'MV', temporary: 'T', path: '/' };

function Head({ data }: { data: TableCardData }) {
  const { t, i18n } = useTranslation();
  const actions = useMapActions();
  const { dataset } = data;
  const { database, table } = splitName(dataset.name);
  const columnsHit = data.open ? '' : data.hitColumns.split('\n').join(', ');
  const columnsOnPath = data.open ? '' : data.litColumns.split('\n').join(', ');
  return (
    <div className="card-head">
      <button
        className="card-name nodrag"
        title={[dataset.name, dataset.comment].filter(Boolean).join('\n')}
        aria-pressed={data.pinned === 'table'}
        onClick={(event) => actions.pin(dataset.id, null, event.shiftKey)}
        onDoubleClick={() => actions.focus(dataset.id)}
      >
        <span className="card-database">
          {database || t(`kind.${dataset.kind}`)}
          {ICONS[dataset.kind] && <abbr title={t(`kind.${dataset.kind}`)}>{ICONS[dataset.kind]}</abbr>}
          {dataset.status === 'offline' && <em className="tag tag-offline">{t('status.offline')}</em>}
          {data.failed !== null && (
            <em className="tag tag-bad" title={t('map.failed_at', { when: moment(data.failed) })}>
              {t('map.failed')}
            </em>
          )}
          {data.change === 'added' && <em className="tag tag-added">{t('diff.added')}</em>}
          {data.change === 'gone' && <em className="tag tag-gone">{t('diff.gone')}</em>}
          {columnsHit && (
            <em className="tag tag-bad" title={columnsHit}>
              {columnsHit}
            </em>
          )}
          {columnsOnPath && (
            <em className="tag tag-path" title={columnsOnPath}>
              {columnsOnPath}
            </em>
          )}
        </span>
        <span className="card-table">{table}</span>
      </button>
      {dataset.column_count > 0 && (
        <button
          className="card-toggle nodrag"
          aria-expanded={data.open !== undefined}
          aria-label={t('map.columns_of', { name: dataset.name, count: dataset.column_count })}
          title={t('map.columns_of', { name: dataset.name, count: dataset.column_count })}
          onClick={() => actions.toggleColumns(dataset.id)}
        >
          <span>{number(dataset.column_count, i18n.language)}</span>
          <svg viewBox="0 0 10 10" aria-hidden="true">
            <path d={data.open ? 'M2 7L5 3L8 7' : 'M2 3L5 7L8 3'} />
          </svg>
        </button>
      )}
    </div>
  );
}

function Columns({ data, open }: { data: TableCardData; open: OpenCard }) {
  const { t } = useTranslation();
  const actions = useMapActions();
  const { dataset } = data;
  const known = new Map((data.columns ?? []).map((column) => [column.name, column]));
  const lit = new Set(data.litColumns.split('\n'));
  const hit = new Set(data.hitColumns.split('\n'));
  const pinned = new Set(data.pinned.split('\n'));
  return (
    <div className="card-columns">
      <input
        className="nodrag nowheel"
        type="search"
        value={data.query}
        placeholder={t('map.find_column')}
        aria-label={t('map.find_column_of', { name: dataset.name })}
        onChange={(event) => actions.searchColumns(dataset.id, event.target.value)}
      />
      <ul>
        {open.rows.map((name) => {
          const column = known.get(name);
          const unused = column && column.up_count + column.down_count + column.indirect_down_count === 0;
          const className = ['column', unused && 'unused', data.lit !== null && (lit.has(name) ? 'lit' : 'dim'), hit.has(name) && 'hit'];
          return (
            <li key={name}>
              <button
                className={className.filter(Boolean).join(' ') + ' nodrag'}
                title={[name, column?.type, column?.comment].filter(Boolean).join('\n')}
                aria-pressed={pinned.has(name)}
                onClick={(event) => actions.pin(dataset.id, name, event.shiftKey)}
              >
                <span>{name}</span>
                <small>{column?.type ?? ''}</small>
              </button>
            </li>
          );
        })}
        {open.hidden > 0 && (
          <li>
            <button className="column more nodrag" onClick={() => actions.moreColumns(dataset.id)}>
              {t('map.more_columns', { count: open.hidden })}
            </button>
          </li>
        )}
      </ul>
    </div>
  );
}

function TableCardView({ data }: NodeProps<TableCardNode>) {
  const far = useContext(FarContext);
  const { dataset } = data;
  const className = [
    'card',
    data.isFocus && 'is-focus',
    data.lit === false && 'dim',
    data.lit === true && 'lit',
    data.hit && 'hit',
    dataset.quality === 'fail' && 'check-failed',
    dataset.status === 'offline' && 'offline',
    dataset.temporary && 'temporary',
    data.change && `change-${data.change}`,
  ];
  const style = data.tint ? ({ '--tint': data.tint } as React.CSSProperties) : undefined;
  if (far)
    return (
      <div className={[...className, 'far'].filter(Boolean).join(' ')} style={style} title={dataset.name}>
        <span>{splitName(dataset.name).table}</span>
        <Ends />
      </div>
    );
  return (
    <div className={className.filter(Boolean).join(' ')} style={style}>
      <Head data={data} />
      {data.open && <Columns data={data} open={data.open} />}
      <HopBadge data={data} side="up" />
      <HopBadge data={data} side="down" />
      <QualityBadge dataset={dataset} />
      <Ends />
    </div>
  );
}

export const TableCard = memo(TableCardView);
