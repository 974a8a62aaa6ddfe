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

interface Group {
  first: SchemaChange;
  all: SchemaChange[]; // more than one: tables that one catalog made known
}

const SHOWN = 5;

// A catalog that is loaded for the first time makes all its tables known at once: they stand as one change.
function grouped(changes: SchemaChange[]): Group[] {
  const groups: Group[] = [];
  for (const one of changes) {
    const last = groups[groups.length - 1];
    const same = last && one.type === 'table_created' && isOfCatalog(one) && last.first.type === one.type && isOfCatalog(last.first) && last.first.time === one.time;
    if (same) last.all.push(one);
    else groups.push({ first: one, all: [one] });
  }
  return groups;
}

function Created({ group }: { group: Group }) {
  const { t } = useTranslation();
  const rest = group.all.length - SHOWN;
  return (
    <small className="muted">
      {group.all.slice(0, SHOWN).map((one, index) => (
        <span key={one.dataset}>
          {index > 0 && ', '}
          <TableLink name={one.name} namespace={one.namespace} />
        </span>
      ))}
      {rest > 0 && (
        <span title={group.all.slice(SHOWN).map((one) => one.name).join('\n')}> {t('change.and_more', { count: rest })}</span>
      )}
    </small>
  );
}

// `cut`: there may be more of them than are given.
export function ChangeList({ changes, named = true, cut = false }: { changes: SchemaChange[]; named?: boolean; cut?: boolean }) {
  const { t, i18n } = useTranslation();
  return (
    <ul className="plain-list changes">
      {grouped(changes).map((group, index, groups) => {
        const more = cut && index === groups.length - 1 ? '+' : '';
        const { first: one, all } = group;
        return (
          <li key={index}>
            <div className="row">
              {named && all.length === 1 && <TableLink name={one.name} namespace={one.namespace} />}
              <span>{all.length > 1 ? t('change.many_created', { count: all.length, more }) : t(`change.${one.type}`, { column: one.column ?? '' })}</span>
              <span className="grow" />
              <span className="muted" title={moment(one.time)}>
                {ago(one.time, Date.now(), i18n.language)}
              </span>
            </div>
            {all.length > 1 ? <Created group={group} /> : <Author change={one} />}
          </li>
        );
      })}
    </ul>
  );
}

function Author({ change: one }: { change: SchemaChange }) {
  const { t } = useTranslation();
  return (
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
  );
}
