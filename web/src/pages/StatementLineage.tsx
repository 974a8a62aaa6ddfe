// The lineage of one statement as a table: what each target column is made of, and what decides on the rows.
import { useTranslation } from 'react-i18next';
import type { LineageStatement } from '../api/types';
import { Empty, Tag } from '../ui/parts';
import { useReason } from '../ui/reasons';

const nameOfPlace = (place: string | { table?: string; path?: string }): string => (typeof place === 'string' ? place : (place.table ?? place.path ?? ''));

export function StatementLineage({ statement }: { statement: LineageStatement }) {
  const { t } = useTranslation();
  const reason = useReason();
  const columns = statement.columns ?? [];
  const predicates = statement.predicates ?? [];
  return (
    <div className="statement-lineage">
      {statement.error && (
        <p className="failure" role="alert">
          {t('playground.error_at', { line: statement.error.line ?? '?', column: statement.error.column ?? '?' })} {statement.error.message}
        </p>
      )}
      <p>
        <Tag>{statement.operation ?? statement.type}</Tag> <span className="mono">{(statement.inputs ?? []).map(nameOfPlace).join(', ') || '—'}</span>
        {' → '}
        <span className="mono">{(statement.outputs ?? []).map(nameOfPlace).join(', ') || '—'}</span>
      </p>
      {(statement.diagnostics ?? []).length > 0 && (
        <ul className="diagnostics">
          {statement.diagnostics!.map((one, index) => (
            <li key={index} className={`diagnostic-${one.severity}`}>
              {reason(one)} <code className="muted">{one.code}</code>
              {reason(one) !== one.message && (
                <small className="muted" lang="en">
                  {' '}
                  {one.message}
                </small>
              )}
            </li>
          ))}
        </ul>
      )}
      {columns.length === 0 && predicates.length === 0 && !statement.error && <Empty>{t('playground.no_columns')}</Empty>}
      {columns.length > 0 && (
        <div className="scroll" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th>{t('edge.target_column')}</th>
                <th>{t('edge.source_column')}</th>
                <th>{t('edge.transform')}</th>
                <th>{t('edge.expression')}</th>
              </tr>
            </thead>
            <tbody>
              {columns.map((column, index) => (
                <tr key={index}>
                  <td className="mono">{column.target}</td>
                  <td className="mono">{column.sources.join(', ') || '—'}</td>
                  <td>{t(`transform.${column.transform}`)}</td>
                  <td>
                    <code>{column.expression}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {predicates.length > 0 && (
        <ul className="predicates">
          {predicates.map((one, index) => (
            <li key={index}>
              <Tag>{t(`transform.${one.clause}`)}</Tag> <code>{one.expression}</code> <span className="muted mono">{one.sources.join(', ')}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
