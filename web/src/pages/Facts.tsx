// The facts of a table in one line: who, when, how much, and the last 30 days as bars.
import { useTranslation } from 'react-i18next';
import type { HeatDay, TableDetail } from '../api/types';
import { useKeepings } from '../map/useKeepings';
import { href } from '../state/location';
import { ownerOf } from '../state/owner';
import { Tag } from '../ui/parts';
import { ago, minuteOfDay, moment, number } from '../ui/time';

const DAYS = 30;

// Days without use are not in the answer: they are put in here, so that a bar's place is its day.
function allDays(known: HeatDay[]): HeatDay[] {
  const last = Date.parse(known[known.length - 1]!.day);
  return Array.from({ length: DAYS }, (_, index) => {
    const day = new Date(last - (DAYS - 1 - index) * 86_400_000).toISOString().slice(0, 10);
    return known.find((one) => one.day === day) ?? { day, reads: 0, writes: 0, users: 0 };
  });
}

function Days({ known }: { known: HeatDay[] }) {
  const { t } = useTranslation();
  const days = allDays(known);
  const most = Math.max(1, ...days.map((day) => day.reads));
  const reads = days.reduce((sum, day) => sum + day.reads, 0);
  return (
    <svg className="days" viewBox={`0 0 ${days.length * 4} 20`} role="img" aria-label={t('facts.days', { count: reads })}>
      {days.map((day, index) => (
        <rect key={day.day} x={index * 4} y={20 - Math.max(1, (20 * day.reads) / most)} width="3" height={Math.max(1, (20 * day.reads) / most)}>
          <title>{t('facts.day', { day: day.day, reads: day.reads, writes: day.writes })}</title>
        </rect>
      ))}
    </svg>
  );
}

export function Facts({ detail }: { detail: TableDetail }) {
  const { t, i18n } = useTranslation();
  const { dataset, last_write: write, usual_time: usual, last_failure: failure } = detail;
  const keepings = useKeepings([dataset.id]);
  const owner = ownerOf(dataset.owner, keepings.get(dataset.id));
  const failed = keepings.get(dataset.id)?.failed;
  const now = Date.now();
  const total = (count: TableDetail['up']) => `${number(count.total, i18n.language)}${count.total_is_exact ? '' : '+'}`;
  return (
    <dl className="facts">
      <div>
        <dt>{t('facts.owner')}</dt>
        <dd title={owner && !dataset.owner ? t('facts.owner_why') : undefined}>{owner ?? '—'}</dd>
      </div>
      <div>
        <dt>{t('facts.written')}</dt>
        <dd title={moment(write?.time ?? dataset.last_written)}>
          {write?.query_id ? (
            <a href={href('query', { id: write.query_id })}>{ago(write.time, now, i18n.language)}</a>
          ) : (
            ago(write?.time ?? dataset.last_written, now, i18n.language)
          )}
          {write?.user && t('facts.by', { user: write.user })}
        </dd>
      </div>
      {usual && (
        <div>
          <dt>{t('facts.usual')}</dt>
          <dd title={t('facts.share', { share: Math.round(usual.share * 100) })}>
            {minuteOfDay(usual.from_minute)}–{minuteOfDay(usual.to_minute)} UTC
          </dd>
        </div>
      )}
      <div>
        <dt>{t('facts.failure')}</dt>
        <dd title={moment(failure?.time)}>{failure ? <a href={href('query', { id: failure.query_id })}>{ago(failure.time, now, i18n.language)}</a> : t('facts.no_failure')}
          {failed && ' '}
          {failed && <Tag kind="bad">{t('facts.since')}</Tag>}
        </dd>
      </div>
      <div>
        <dt>{t('facts.up')}</dt>
        <dd>
          {number(detail.up.direct, i18n.language)} / {total(detail.up)}
        </dd>
      </div>
      <div>
        <dt>{t('facts.down')}</dt>
        <dd>
          {number(detail.down.direct, i18n.language)} / {total(detail.down)}
        </dd>
      </div>
      <div>
        <dt>{t('facts.heat')}</dt>
        <dd title={t('facts.heat_why', { reads: detail.reads, writes: detail.writes })}>
          {number(dataset.heat, i18n.language)} · {t('home.users', { count: dataset.users })} {detail.heat_by_day.length > 0 && <Days known={detail.heat_by_day} />}
        </dd>
      </div>
    </dl>
  );
}
