// What stands behind an edge: its evidence, its statements, the columns that they lead over, and the SQL with the
// expression highlighted.
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ColumnEdge, Edge, EdgeDetail, Statement, StatementColumn, Uncertain } from '../api/types';
import { useQuery } from '../api/use';
import { href } from '../state/location';
import { columnNameOf, nameOf, tableIdOf } from '../state/names';
import { SqlText } from '../sql/SqlText';
import { Failure, Progress, Tag } from '../ui/parts';
import { useReason } from '../ui/reasons';
import { moment, number } from '../ui/time';

function Evidence({ edge }: { edge: Edge | ColumnEdge | Statement }) {
  const { t, i18n } = useTranslation();
  const runs = t('edge.ran', { count: edge.runs, runs: number(edge.runs, i18n.language) });
  return (
    <span className="evidence">
      <Tag kind={edge.evidence}>{t(`evidence.${edge.evidence}`)}</Tag>
      {edge.evidence !== 'script' && <span>{runs}</span>}
      {edge.state !== 'current' && <Tag kind={edge.state}>{t(`state.${edge.state}`)}</Tag>}
    </span>
  );
}

export function Reasons({ list }: { list: Uncertain[] }) {
  const { t } = useTranslation();
  const reason = useReason();
  if (list.length === 0) return null;
  return (
    <div className="reasons">
      <strong>{t('edge.uncertain')}</strong>
      <ul>
        {list.map((one, index) => (
          <li key={index}>
            {reason(one)} <code className="muted">{one.code}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}

function ColumnRows({ columns, chosen, choose }: { columns: StatementColumn[]; chosen: number; choose: (index: number) => void }) {
  const { t } = useTranslation();
  return (
    <table className="edge-columns">
      <thead>
        <tr>
          <th>{t('edge.source_column')}</th>
          <th>{t('edge.target_column')}</th>
          <th>{t('edge.transform')}</th>
        </tr>
      </thead>
      <tbody>
        {columns.map((column, index) => (
          <tr key={index} className={index === chosen ? 'chosen' : undefined}>
            <td>
              <button className="link" aria-pressed={index === chosen} onClick={() => choose(index)}>
                {column.source.includes('#') ? t('edge.rows') : column.source}
              </button>
            </td>
            <td>{column.target === '*' || column.target.includes('#') ? t('edge.all_columns') : column.target}</td>
            <td>
              {t(`transform.${column.transform}`)}
              {column.kind === 'indirect' && <span className="muted"> · {t('edge.indirect')}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

// The row to begin with: that of a column that is locked, else the first that computes something.
function firstRow(columns: StatementColumn[], pins: string[]): number {
  const names = pins.map(columnNameOf);
  const pinned = columns.findIndex((column) => names.includes(column.target) || names.includes(column.source));
  if (pinned >= 0) return pinned;
  return Math.max(0, columns.findIndex((column) => column.transform !== 'identity'));
}

function StatementPart({ statement, pins }: { statement: Statement; pins: string[] }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(() => firstRow(statement.columns, pins));
  const column = statement.columns[chosen];
  const ranges = useMemo(
    () =>
      statement.columns.flatMap((one, index) =>
        one.span ? [{ ...one.span, kind: index === chosen ? 'strong' : 'weak', title: one.target }] : [],
      ).sort((a, b) => (a.kind === b.kind ? 0 : a.kind === 'weak' ? -1 : 1)),
    [statement, chosen],
  );
  return (
    <section className="statement">
      <header>
        <Tag>{statement.engine}</Tag> {t(`mode_of.${statement.mode ?? statement.operation}`, { defaultValue: statement.mode ?? statement.operation })}
        <Evidence edge={statement} />
      </header>
      <dl className="facts-list">
        <dt>{t('edge.last_run')}</dt>
        <dd>
          {statement.query_id ? <a href={href('query', { id: statement.query_id })}>{moment(statement.last_run)}</a> : moment(statement.last_run)}
        </dd>
        <dt>{t('edge.first_run')}</dt>
        <dd>{moment(statement.first_run)}</dd>
        {statement.users.length > 0 && <dt>{t('edge.users')}</dt>}
        {statement.users.length > 0 && <dd>{statement.users.map((user) => `${user.user} (${user.runs})`).join(', ')}</dd>}
        {statement.script && <dt>{t('edge.script')}</dt>}
        {statement.script && <dd className="mono">{statement.script}</dd>}
      </dl>
      <Reasons list={statement.uncertain} />
      {statement.columns.length > 0 && <ColumnRows columns={statement.columns} chosen={chosen} choose={setChosen} />}
      {column?.expression && (
        <p className="expression">
          <span className="muted">{t('edge.expression')}</span> <code>{column.expression}</code>
        </p>
      )}
      {statement.sql ? <SqlText sql={statement.sql} ranges={ranges} /> : <p className="muted">{t('sql.hidden')}</p>}
    </section>
  );
}

export interface EdgePanelProps {
  source: string;
  target: string;
  statement?: string; // fingerprint of the only one that is meant
  pins: string[]; // ids of locked columns
  close: () => void;
}

export function EdgePanel({ source, target, statement: only, pins, close }: EdgePanelProps) {
  const { t, i18n } = useTranslation();
  const detail = useQuery<EdgeDetail>('/edge', { source, target });
  const edge = detail.data?.edge;
  const found = detail.data?.items.filter((one) => !only || one.fingerprint === only) ?? [];
  const statements = found.length > 0 ? found : (detail.data?.items ?? []);
  const count = statements.length < (detail.data?.items.length ?? 0) ? statements.length : (detail.data?.total ?? statements.length);
  const mine = useMemo(() => pins.filter((pin) => [source, target].includes(tableIdOf(pin))), [pins, source, target]);
  return (
    <aside className="panel" aria-label={t('edge.title')}>
      <header>
        <h2>
          <span className="ellipsis" title={nameOf(source)}>
            {nameOf(source)}
          </span>
          {' → '}
          <span className="ellipsis" title={nameOf(target)}>
            {nameOf(target)}
          </span>
        </h2>
        <button className="plain" aria-label={t('close')} onClick={close}>
          ✕
        </button>
      </header>
      {detail.slow && <Progress />}
      {detail.error && <Failure what={t('error.edge')} error={detail.error} again={detail.again} />}
      {edge && !only && 'modes' in edge && (
        <>
          <p>
            <Evidence edge={edge} />
          </p>
          <dl className="facts-list">
            <dt>{t('edge.kind')}</dt>
            <dd>{t(`edge.${edge.kind}`)}</dd>
            <dt>{t('edge.last_run')}</dt>
            <dd>{moment(edge.last_run)}</dd>
            <dt>{t('edge.users')}</dt>
            <dd>{number(edge.users, i18n.language)}</dd>
            {edge.through.length > 0 && <dt>{t('edge.through')}</dt>}
            {edge.through.length > 0 && <dd>{edge.through.join(', ')}</dd>}
          </dl>
          <Reasons list={edge.uncertain} />
        </>
      )}
      {detail.data && <h3>{t('edge.statements', { count })}</h3>}
      {statements.map((statement, index) => (
        <StatementPart key={statement.fingerprint + index} statement={statement} pins={mine} />
      ))}
    </aside>
  );
}
