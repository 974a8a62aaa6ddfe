// Executions, one a row.
import { useTranslation } from 'react-i18next';
import type { Query } from '../api/types';
import { href } from '../state/location';
import { TableLink, Tag } from './parts';
import { duration, moment } from './time';

function Names({ names }: { names: string[] }) {
  return (
    <>
      {names.slice(0, 3).map((name, index) => (
        <span key={name}>
          {index > 0 && ', '}
          <TableLink name={name} />
        </span>
      ))}
      {names.length > 3 && <span title={names.slice(3).join('\n')}> +{names.length - 3}</span>}
    </>
  );
}

// How a query ended, in the reader's language.
export function RunStatus({ status }: { status: string }) {
  const { t } = useTranslation();
  return <Tag kind={status === 'OK' ? 'good' : status === 'ERROR' ? 'bad' : undefined}>{t(`run.${status}`, { defaultValue: status })}</Tag>;
}

export function QueryTable({ queries }: { queries: Query[] }) {
  const { t } = useTranslation();
  return (
    <div className="scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>{t('query.started')}</th>
            <th>{t('query.user')}</th>
            <th>{t('query.engine')}</th>
            <th>{t('query.operation')}</th>
            <th>{t('query.status')}</th>
            <th className="number">{t('query.duration')}</th>
            <th>{t('query.inputs')}</th>
            <th>{t('query.outputs')}</th>
          </tr>
        </thead>
        <tbody>
          {queries.map((one) => (
            <tr key={one.query_id}>
              <td>
                <a href={href('query', { id: one.query_id })} title={one.query_id}>
                  {moment(one.started)}
                </a>
              </td>
              <td>{one.user ?? '—'}</td>
              <td>{one.engine}</td>
              <td>{one.operation ?? '—'}</td>
              <td>
                <RunStatus status={one.status} />
              </td>
              <td className="number">{duration(one.duration_ms)}</td>
              <td>
                <Names names={one.inputs} />
              </td>
              <td>
                <Names names={one.outputs} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
