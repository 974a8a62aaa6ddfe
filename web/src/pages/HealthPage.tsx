// The pipeline's own health.
import { useTranslation } from 'react-i18next';
import type { Health } from '../api/types';
import { useQuery } from '../api/use';
import type { Place } from '../state/location';
import { Failure, Progress, Tag } from '../ui/parts';
import { bytes, duration, moment, number } from '../ui/time';

export function HealthPage(_: { place: Place }) {
  const { t, i18n } = useTranslation();
  const health = useQuery<Health>('/health');
  const data = health.data;
  const fact = (name: string, value: React.ReactNode) => (
    <div>
      <dt>{t(`health.${name}`)}</dt>
      <dd>{value}</dd>
    </div>
  );
  return (
    <div className="page">
      <h1>
        {t('health.title')} {data && <Tag kind={data.status === 'good' ? 'good' : 'bad'}>{t(`health.${data.status}`)}</Tag>}
      </h1>
      {health.slow && <Progress />}
      {health.error && <Failure what={t('health.title')} error={health.error} again={health.again} />}
      {data && (
        <>
          <dl className="facts">
            {fact('last_event', moment(data.last_event))}
            {data.lag_ms !== undefined && fact('lag', duration(data.lag_ms))}
            {data.events !== undefined && fact('events', number(data.events, i18n.language))}
            {data.rejected !== undefined && fact('rejected', number(data.rejected, i18n.language))}
            {fact('store', `${data.store.kind} · ${t('health.schema', { number: data.store.schema })}`)}
            {fact('size', bytes(data.store.bytes))}
            {fact('version', data.version)}
          </dl>
          {!data.store.readable && <p className="failure">{t('health.unreadable')}</p>}
          {data.checks.length > 0 && <h2>{t('health.checks')}</h2>}
          <ul className="plain-list">
            {data.checks.map((check) => (
              <li key={check.name} className="row">
                <Tag kind={check.good ? 'good' : 'bad'}>{t(check.good ? 'health.good' : 'health.bad')}</Tag>
                <b>{check.name}</b>
                <span>{check.detail}</span>
              </li>
            ))}
          </ul>
          <button className="button" onClick={health.again}>
            {t('health.again')}
          </button>
        </>
      )}
    </div>
  );
}
