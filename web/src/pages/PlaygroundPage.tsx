// Paste a script or an ALTER: its lineage at once, and what it would change against the store. Nothing is stored.
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post } from '../api/client';
import type { Analysis, AnalysisChange } from '../api/types';
import { useLoad } from '../api/use';
import { formatPlace, go, type Place } from '../state/location';
import { Empty, Failure, Progress, Tag } from '../ui/parts';
import { Dependents } from './ImpactView';
import { StatementLineage } from './StatementLineage';

const WAIT_MS = 350;
const MOST_IN_ADDRESS = 4000;
const EXAMPLE = 'insert into ads.vip\nselect u.uid, coalesce(o.paid, 0)\nfrom dwd.member u left join dws.paid o on u.uid = o.uid';

function ChangeRow({ change }: { change: AnalysisChange }) {
  const { t } = useTranslation();
  const gone = /gone|dropped/.test(change.type);
  const added = /added/.test(change.type);
  return (
    <li>
      <Tag kind={gone ? 'gone' : added ? 'added' : undefined}>{t(`analysis.${change.type}`)}</Tag>{' '}
      <span className="mono">
        {change.source !== null && `${change.source} → `}
        {change.target}
        {change.column !== null && `.${change.column}`}
      </span>
      {change.before !== null && change.after !== null && <span className="mono"> {`${change.before} → ${change.after}`}</span>}
    </li>
  );
}

export function PlaygroundPage({ place }: { place: Place }) {
  const { t } = useTranslation();
  const dialect = place.params.get('dialect') === 'impala' ? 'impala' : 'hive';
  const database = place.params.get('database') ?? 'default';
  const [sql, setSql] = useState(place.params.get('sql') ?? '');
  const [settled, setSettled] = useState(sql);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(sql), WAIT_MS);
    return () => clearTimeout(timer);
  }, [sql]);
  const set = (next: Record<string, string>) => {
    const params = { sql, dialect, database, ...next };
    if (params.sql.length > MOST_IN_ADDRESS) params.sql = '';
    go(formatPlace('playground', params), 'replace');
  };
  useEffect(() => {
    if (settled !== (place.params.get('sql') ?? '')) set({ sql: settled });
  }, [settled]); // eslint-disable-line -- only a new text is written to the address
  const analysis = useLoad<Analysis>(settled.trim() ? JSON.stringify([settled, dialect, database]) : null, (signal) =>
    post<Analysis>('/analyze', { sql: settled, dialect, database }, signal),
  );
  const data = settled.trim() ? analysis.data : undefined;
  return (
    <div className="page playground">
      <h1>{t('playground.title')}</h1>
      <p className="muted">{t('playground.how')}</p>
      <div className="columns-2">
        <section>
          <div className="row">
            <label>
              {t('playground.dialect')}{' '}
              <select value={dialect} onChange={(event) => set({ dialect: event.target.value })}>
                <option value="hive">Hive</option>
                <option value="impala">Impala</option>
              </select>
            </label>
            <label>
              {t('playground.database')} <input size={14} value={database} onChange={(event) => set({ database: event.target.value || 'default' })} />
            </label>
            <span className="grow" />
            <button className="button" onClick={() => setSql(EXAMPLE)}>
              {t('playground.example')}
            </button>
          </div>
          <textarea className="sql-input" value={sql} spellCheck={false} aria-label={t('playground.sql')} placeholder={t('playground.placeholder')} onChange={(event) => setSql(event.target.value)} />
        </section>
        <section aria-live="polite">
          {analysis.slow && <Progress />}
          {analysis.error && <Failure what={t('error.analyze')} error={analysis.error} again={analysis.again} />}
          {!data && !analysis.error && <Empty>{t('playground.empty')}</Empty>}
          {data && (
            <>
              <h2>{t('playground.changes')}</h2>
              {data.changes.length === 0 ? (
                <Empty>{t('playground.no_changes')}</Empty>
              ) : (
                <ul className="plain-list">
                  {data.changes.map((change, index) => (
                    <ChangeRow key={index} change={change} />
                  ))}
                </ul>
              )}
              {data.hit.length > 0 && (
                <>
                  <h2>{t('playground.hit', { count: data.hit.length })}</h2>
                  <Dependents items={data.hit} />
                </>
              )}
              <h2>{t('playground.lineage')}</h2>
              {data.document.statements.length === 0 && <Empty>{t('playground.no_statements')}</Empty>}
              {data.document.statements.map((statement, index) => (
                <StatementLineage key={index} statement={statement} />
              ))}
            </>
          )}
        </section>
      </div>
    </div>
  );
}
