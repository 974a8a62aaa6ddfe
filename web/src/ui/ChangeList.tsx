// Changes of tables and columns, newest first.
import { useTranslation } from 'react-i18next';
import type { SchemaChange } from '../api/types';
import { href } from '../state/location';
import { TableLink } from './parts';
import { ago, moment } from './time';

// Neither a user nor a query: the catalog told it.
const isOfCatalog = (one: SchemaChange): boolean => one.query_id === null && one.type !== 'rewritten' && one.type !== 'table_renamed';

function Difference({ change: one }: { change: SchemaChange }) {
  if (one.before === null || one.after === null) return null;
  const renamed = one.type === 'table_renamed';
  const part = (text: string) => (renamed ? <TableLink name={text} namespace={one.namespace} /> : <span className="mono">{text}</span>);
  return (
    <>
      {part(one.before)} → {part(one.after)}
      {' · '}
    </>
  );
}

export function ChangeList({ changes, named = true }: { changes: SchemaChange[]; named?: boolean }) {
  const { t, i18n } = useTranslation();
  return (
    <ul className="plain-list changes">
      {changes.map((one, index) => (
        <li key={index}>
          <div className="row">
            {named && <TableLink name={one.name} namespace={one.namespace} />}
            <span>{t(`change.${one.type}`, { column: one.column ?? '' })}</span>
            <span className="grow" />
            <span className="muted" title={moment(one.time)}>
              {ago(one.time, Date.now(), i18n.language)}
            </span>
          </div>
          <small className="muted">
            <Difference change={one} />
            {one.user ?? t(isOfCatalog(one) ? 'change.catalog' : 'unknown_user')}
            {one.query_id && (
              <>
                {' · '}
                <a href={href('query', { id: one.query_id })}>{t('change.query')}</a>
              </>
            )}
          </small>
        </li>
      ))}
    </ul>
  );
}
