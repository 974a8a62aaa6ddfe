// The columns of a table: with what they are made of, who uses them, and the text of a view.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column, TableDetail } from '../api/types';
import { href } from '../state/location';
import { SqlText } from '../sql/SqlText';
import { LongTable } from '../ui/LongTable';
import { Tag } from '../ui/parts';

export function ColumnsTab({ name, namespace, detail }: { name: string; namespace: string; detail: TableDetail | undefined }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [order, setOrder] = useState<'used' | 'ordinal'>('used');
  return (
    <div className="page">
      <div className="row">
        <input type="search" value={text} placeholder={t('columns.find')} aria-label={t('columns.find')} onChange={(event) => setText(event.target.value)} />
        <span className="segments" role="group" aria-label={t('columns.order')}>
          {(['used', 'ordinal'] as const).map((one) => (
            <button key={one} aria-pressed={order === one} onClick={() => setOrder(one)}>
              {t(`columns.by_${one}`)}
            </button>
          ))}
        </span>
      </div>
      <LongTable<Column>
        path="/columns"
        query={{ name, namespace, q: text.trim(), order }}
        what={t('error.columns')}
        none={text ? t('columns.nothing_left') : t('columns.none')}
        label={t('table.columns')}
        width={6}
        head={
          <>
            <th>{t('columns.name')}</th>
            <th>{t('columns.type')}</th>
            <th>{t('columns.comment')}</th>
            <th className="number">{t('columns.up')}</th>
            <th className="number">{t('columns.down')}</th>
            <th className="number">{t('columns.decides')}</th>
          </>
        }
        row={(column) => (
          <>
            <td>
              <span className="line-clip" title={column.name}>
                <a href={href('column', { name, ...(namespace ? { namespace } : {}), column: column.name })}>{column.name}</a>{' '}
                {column.partition && <Tag>{t('columns.partition')}</Tag>}
                {column.status === 'offline' && <Tag kind="offline">{t('status.offline')}</Tag>}
                {column.down_count + column.indirect_down_count === 0 && <Tag kind="unused">{t('columns.unused')}</Tag>}
              </span>
            </td>
            <td className="mono">
              <span className="line-clip" title={column.type ?? undefined}>
                {column.type ?? '—'}
              </span>
            </td>
            <td>
              <span className="line-clip" title={column.comment ?? undefined}>
                {column.comment}
              </span>
            </td>
            <td className="number">{column.up_count}</td>
            <td className="number">{column.down_count}</td>
            <td className="number">{column.indirect_down_count}</td>
          </>
        )}
      />
      {detail?.view_text && (
        <>
          <h2>{t('columns.view_text')}</h2>
          <SqlText sql={detail.view_text} />
        </>
      )}
    </div>
  );
}
