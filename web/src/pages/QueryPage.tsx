// One query: its text with sources and targets coloured, its lineage, and what went wrong with it.
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { QueryDetail } from '../api/types';
import { useQuery } from '../api/use';
import type { Place } from '../state/location';
import { Reasons } from '../panels/EdgePanel';
import { SqlText } from '../sql/SqlText';
import { Failure, Progress, TableLink } from '../ui/parts';
import { RunStatus } from '../ui/QueryTable';
import { duration, moment, number } from '../ui/time';
import { StatementLineage } from './StatementLineage';

export function QueryPage({ place }: { place: Place }) {
  const { t, i18n } = useTranslation();
  const id = place.params.get('id') ?? '';
  const detail = useQuery<QueryDetail>(id ? '/query' : null, { id });
  const data = detail.data;
  const ranges = useMemo(() => (data?.marks ?? []).map((mark) => ({ ...mark, kind: mark.role, title: `${t(`query.${mark.role}`)}: ${mark.name}` })), [data, t]);
  const fact = (name: string, value: React.ReactNode) => (
    <div>
      <dt>{t(`query.${name}`)}</dt>
      <dd>{value}</dd>
    </div>
  );
  return (
    <div className="page">
      <h1 className="mono">{id}</h1>
      {detail.slow && <Progress />}
      {detail.error && <Failure what={t('error.query', { id })} error={detail.error} again={detail.again} />}
      {data && (
        <>
          <dl className="facts">
            {fact('status', <RunStatus status={data.query.status} />)}
            {fact('started', moment(data.query.started))}
            {fact('duration', duration(data.query.duration_ms))}
            {fact('user', data.query.user ?? '—')}
            {fact('engine', data.query.engine)}
            {fact('operation', data.query.operation ?? '—')}
            {fact('database', data.query.database ?? '—')}
            {data.other_runs !== null && fact('other_runs', number(data.other_runs, i18n.language))}
          </dl>
          {data.error && (
            <p className="failure">
              <strong>{t('query.failed')}</strong> <code>{data.error}</code>
            </p>
          )}
          <Reasons list={data.problems} />
          <p className="sql-legend">
            <mark className="source">{t('query.source')}</mark>{' '}
            {data.query.inputs.map((name) => (
              <span key={name}>
                <TableLink name={name} />{' '}
              </span>
            ))}
            <mark className="target">{t('query.target')}</mark>{' '}
            {data.query.outputs.map((name) => (
              <span key={name}>
                <TableLink name={name} />{' '}
              </span>
            ))}
          </p>
          {data.sql === null ? <p className="muted">{t('sql.hidden')}</p> : <SqlText sql={data.sql} ranges={ranges} />}
          {data.lineage && (
            <>
              <h2>{t('query.lineage')}</h2>
              <StatementLineage statement={data.lineage} />
            </>
          )}
        </>
      )}
    </div>
  );
}
