// The first page: what there is, what is hot, which checks failed, what changed, saved views, and lists for cleaning up.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { address } from '../api/client';
import type { Check, DeadColumn, HeatItem, Home, Page } from '../api/types';
import { useQuery } from '../api/use';
import { href, type Place } from '../state/location';
import { placeOf } from '../state/notify';
import { savedViews } from '../state/saved';
import { checkText } from '../state/view';
import { ChangeList } from '../ui/ChangeList';
import { Empty, Failure, Progress, TableLink, Tag } from '../ui/parts';
import { ago, number } from '../ui/time';

function Heat({ value, most }: { value: number; most: number }) {
  return <i className="heat-bar" style={{ width: `${Math.max(2, (100 * Math.sqrt(value)) / Math.sqrt(most || 1))}%` }} aria-hidden="true" />;
}

// Where no check failed there is nothing to see.
function FailedChecks() {
  const { t, i18n } = useTranslation();
  const failed = useQuery<Page<Check>>('/checks', { status: 'fail', limit: 10 });
  const items = failed.data?.items ?? [];
  if (failed.error) return <Failure what={t('error.checks')} error={failed.error} again={failed.again} />;
  if (items.length === 0) return null;
  const link = ({ table, namespace, column, check }: Check) => href('table', { name: table, namespace, check: checkText({ table, picked: { column, check } }) });
  return (
    <section className="block">
      <header>
        <h2>{t('home.failed_checks')}</h2>
        <span className="grow" />
        <a href={address('/checks', { status: 'fail', format: 'csv' })} download>
          CSV
        </a>
      </header>
      <ul className="plain-list">
        {items.map((one) => (
          <li key={`${one.dataset}!${one.column ?? ''}!${one.check}`} className="row">
            <a className="name" href={link(one)} title={one.message ?? undefined}>
              {placeOf(one)}
            </a>
            <span className="ellipsis">{one.check}</span>
            <span className="grow" />
            <span className="muted">{ago(one.time, Date.now(), i18n.language)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Cleaning() {
  const { t, i18n } = useTranslation();
  const [what, setWhat] = useState<'unread' | 'dead-columns'>('unread');
  const unread = useQuery<Page<HeatItem>>(what === 'unread' ? '/unread' : null, { limit: 20 });
  const dead = useQuery<Page<DeadColumn>>(what === 'dead-columns' ? '/dead-columns' : null, { limit: 20 });
  const answer = what === 'unread' ? unread : dead;
  return (
    <section className="block">
      <header>
        <span className="segments" role="group" aria-label={t('home.cleaning')}>
          {(['unread', 'dead-columns'] as const).map((one) => (
            <button key={one} aria-pressed={what === one} onClick={() => setWhat(one)}>
              {t(`home.${one}`)}
            </button>
          ))}
        </span>
        <span className="grow" />
        <a href={address(`/${what}`, { format: 'csv' })} download>
          CSV
        </a>
      </header>
      {answer.slow && <Progress />}
      {answer.error && <Failure what={t(`home.${what}`)} error={answer.error} again={answer.again} />}
      {answer.data?.items.length === 0 && <Empty>{t('home.clean')}</Empty>}
      <ul className="plain-list">
        {what === 'unread' &&
          unread.data?.items.map((one) => (
            <li key={one.dataset.id} className="row">
              <TableLink name={one.dataset.name} namespace={one.dataset.namespace} />
              <span className="grow" />
              <span className="muted">{t('home.written', { count: one.writes, times: number(one.writes, i18n.language) })}</span>
            </li>
          ))}
        {what === 'dead-columns' &&
          dead.data?.items.map((one) => (
            <li key={one.dataset + one.column} className="row">
              <a className="name" title={`${one.table}.${one.column}`} href={href('column', { name: one.table, namespace: one.namespace, column: one.column })}>
                <span className="muted">{one.table}.</span>
                {one.column}
              </a>
              <span className="grow" />
              <span className="muted">{one.type}</span>
            </li>
          ))}
      </ul>
    </section>
  );
}

const CHANGES_SHOWN = 20; // by the server

export function HomePage(_: { place: Place }) {
  const { t, i18n } = useTranslation();
  const home = useQuery<Home>('/home');
  const [saved] = useState(savedViews);
  const data = home.data;
  const most = Math.max(1, ...(data?.hot ?? []).map((one) => one.heat));
  return (
    <div className="page home">
      <h1>{t('home.title')}</h1>
      {home.slow && <Progress />}
      {home.error && <Failure what={t('error.home')} error={home.error} again={home.again} />}
      {data && (
        <>
          <ul className="counts">
            {(['datasets', 'columns', 'column_edges', 'statements'] as const).filter((name) => data.counts[name] !== null).map((name) => (
              <li key={name}>
                <b>{number(data.counts[name], i18n.language)}</b> {t(`home.${name}`)}
              </li>
            ))}
            {data.user && <li className="muted">{t('home.user', { user: data.user })}</li>}
            <li className="muted">{t('home.last_event', { when: ago(data.last_event, Date.now(), i18n.language) })}</li>
          </ul>
          {data.counts.datasets === 0 && <Empty>{t('home.empty')}</Empty>}
          <div className="columns-2">
            <section className="block">
              <h2>{t('home.hot')}</h2>
              <ol className="plain-list hot">
                {data.hot.map((one) => (
                  <li key={one.id}>
                    <div className="row">
                      <TableLink name={one.name} namespace={one.namespace} />
                      {one.kind !== 'table' && <Tag>{t(`kind.${one.kind}`)}</Tag>}
                      <span className="muted ellipsis" title={one.comment ?? undefined}>
                        {one.comment}
                      </span>
                      <span className="grow" />
                      <span className="muted">{t('home.users', { count: one.users })}</span>
                      <b className="number">{number(one.heat, i18n.language)}</b>
                    </div>
                    <Heat value={one.heat} most={most} />
                  </li>
                ))}
              </ol>
            </section>
            <div>
              <FailedChecks />
              <section className="block">
                <h2>{t('home.changes')}</h2>
                {data.changes.length === 0 ? <Empty>{t('home.no_changes')}</Empty> : <ChangeList changes={data.changes} cut={data.changes.length >= CHANGES_SHOWN} />}
              </section>
              {saved.length > 0 && (
                <section className="block">
                  <h2>{t('saved.title')}</h2>
                  <ul className="plain-list">
                    {saved.map((one) => (
                      <li key={one.name}>
                        <a href={one.hash}>{one.name}</a>
                      </li>
                    ))}
                  </ul>
                </section>
              )}
              <Cleaning />
            </div>
          </div>
        </>
      )}
    </div>
  );
}
