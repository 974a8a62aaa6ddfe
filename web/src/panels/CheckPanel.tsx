// The checks of a table, and who is hit where the one that is picked failed: tables, the columns that are hit, and whom
// to tell.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { address } from '../api/client';
import type { Check, HitTable, Page } from '../api/types';
import { useQuery } from '../api/use';
import { isBad, type CheckList } from '../map/useCheck';
import { nameOf } from '../state/names';
import { addressesOf, keeperOf, keepersOf, mailOf, placeOf, textOf } from '../state/notify';
import type { CheckRef } from '../state/view';
import { copyText } from '../ui/copy';
import { Empty, Failure, Progress, TableLink, Tag } from '../ui/parts';
import { moment } from '../ui/time';

const MOST_HIT = 500;
const KINDS = { pass: 'good', warn: 'script', fail: 'bad' };

type Pick = (picked: NonNullable<CheckRef['picked']>) => void;

export function CheckRows({ checks, picked, pick }: { checks: Check[]; picked: Check | undefined; pick: Pick }) {
  const { t } = useTranslation();
  return (
    <ul className="checks">
      {checks.map((one) => (
        <li key={`${one.column ?? ''}!${one.check}`}>
          <button aria-pressed={one === picked} onClick={() => pick({ column: one.column, check: one.check })}>
            <Tag kind={KINDS[one.status]}>{t(`check.${one.status}`)}</Tag>
            <span className="check-name">
              {one.column && <span className="mono">{one.column} · </span>}
              {one.check}
              {one.message && <small>{one.message}</small>}
            </span>
            <time className="muted" title={one.source ? t('check.by', { source: one.source }) : undefined}>
              {moment(one.time)}
            </time>
          </button>
        </li>
      ))}
    </ul>
  );
}

function Notify({ check, hits }: { check: Check; hits: HitTable[] }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState<boolean | null>(null);
  const mailed = addressesOf(hits).length;
  const words = {
    subject: t('hit.subject', { place: placeOf(check) }),
    intro: t('hit.intro', { check: check.check, place: placeOf(check), when: moment(check.time) }),
    more: (count: number) => t('hit.more', { count }),
  };
  const copy = () => void copyText(textOf(hits, [t('list.name'), t('impact.columns'), t('list.owner'), t('hit.readers')])).then(setCopied);
  return (
    <p className="row">
      {mailed > 0 ? (
        <a className="button primary" href={mailOf(check, hits, words)}>
          {t('hit.notify', { count: mailed })}
        </a>
      ) : (
        <span className="muted">{t('hit.no_address')}</span>
      )}
      <button className="button" onClick={copy}>
        {t('hit.copy')}
      </button>
      <span role="status" className="muted">
        {copied !== null && t(copied ? 'hit.copied' : 'hit.not_copied')}
      </span>
    </p>
  );
}

function HitRows({ hits }: { hits: HitTable[] }) {
  const { t } = useTranslation();
  return (
    <div className="scroll" tabIndex={0}>
      <table className="hits">
        <thead>
          <tr>
            <th className="number">{t('toolbar.depth')}</th>
            <th>{t('list.name')}</th>
            <th>{t('list.owner')}</th>
            <th>{t('hit.readers')}</th>
          </tr>
        </thead>
        <tbody>
          {hits.map((hit) => (
            <tr key={hit.dataset.id}>
              <td className="number">{hit.level}</td>
              <td>
                <TableLink name={hit.dataset.name} namespace={hit.dataset.namespace} />
                {hit.kind === 'indirect' && <span className="muted"> {t('edge.indirect')}</span>}
                {hit.columns.length > 0 && <div className="mono muted">{hit.columns.join(', ')}</div>}
              </td>
              <td title={hit.dataset.owner ? undefined : t('facts.owner_why')}>{keeperOf(hit) ?? '—'}</td>
              <td>{hit.readers.join(', ') || '—'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function WhoIsHit({ check }: { check: Check }) {
  const { t } = useTranslation();
  const query = { name: check.table, namespace: check.namespace, column: check.column };
  const answer = useQuery<Page<HitTable> & { subject: string }>('/who-is-hit', { ...query, limit: MOST_HIT });
  const hits = answer.data?.items[0]?.dataset.id === check.dataset ? answer.data.items : undefined;
  const total = answer.data?.total ?? 0;
  return (
    <section className="who-is-hit" aria-label={t('hit.title')}>
      <h2>{t('hit.title')}</h2>
      {answer.slow && <Progress />}
      {answer.error && <Failure what={t('error.hit')} error={answer.error} again={answer.again} />}
      {hits && (
        <>
          <p>
            {t('hit.tables', { count: total })} {t('hit.keepers', { count: keepersOf(hits).length })} <a href={address('/who-is-hit', { ...query, format: 'csv' })} download>CSV</a>
          </p>
          <Notify check={check} hits={hits} />
          {total > hits.length && <p className="notice">{t('list.first', { count: hits.length })}</p>}
          <HitRows hits={hits} />
        </>
      )}
    </section>
  );
}

// What a panel and a tab show alike.
export function Checks({ checks, pick }: { checks: CheckList; pick: Pick }) {
  const { t } = useTranslation();
  return (
    <>
      {checks.slow && <Progress />}
      {checks.items?.length === 0 && <Empty>{t('check.none')}</Empty>}
      {checks.items && checks.items.length > 0 && <CheckRows checks={checks.items} picked={checks.picked} pick={pick} />}
      {isBad(checks.picked) && <WhoIsHit check={checks.picked} />}
      {checks.picked?.status === 'pass' && <p className="muted">{t('check.nobody')}</p>}
    </>
  );
}

export function CheckPanel({ table, checks, pick, close }: { table: string; checks: CheckList; pick: Pick; close: () => void }) {
  const { t } = useTranslation();
  const title = t('check.title', { name: nameOf(table) });
  return (
    <aside className="panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <button className="plain" aria-label={t('close')} onClick={close}>
          ✕
        </button>
      </header>
      <Checks checks={checks} pick={pick} />
    </aside>
  );
}
