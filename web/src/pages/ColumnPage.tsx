// One column: its whole trace to the very source, with the expression of every step, and what depends on it.
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column, ColumnEdge, ColumnGraph, EdgeDetail, Page } from '../api/types';
import { useQuery } from '../api/use';
import { href, type Place } from '../state/location';
import { columnNameOf, nameOf, tableIdOf, namespaceOf } from '../state/names';
import { traceRows } from '../state/trace';
import { Empty, Failure, Progress, Tag } from '../ui/parts';
import { useReason } from '../ui/reasons';
import { ImpactView } from './ImpactView';

function ColumnLink({ id }: { id: string }) {
  const column = columnNameOf(id);
  const table = nameOf(tableIdOf(id));
  return (
    <a className="name" title={nameOf(id)} href={column === null ? href('table', { name: table, namespace: namespaceOf(id) }) : href('column', { name: table, namespace: namespaceOf(id), column })}>
      <span className="muted">{table}</span>
      {column !== null && <>.{column}</>}
    </a>
  );
}

// The statement behind one step, asked for when a person wants it.
function StepDetail({ edge }: { edge: ColumnEdge }) {
  const { t } = useTranslation();
  const columns = { source_column: columnNameOf(edge.source), target_column: columnNameOf(edge.target) };
  const both = columns.source_column !== null && columns.target_column !== null;
  const detail = useQuery<EdgeDetail>('/edge', { source: tableIdOf(edge.source), target: tableIdOf(edge.target), ...(both ? columns : {}), limit: 1 });
  const statement = detail.data?.items[0];
  const expressions = statement?.columns.filter((one) => one.target === columns.target_column && one.expression).map((one) => one.expression!) ?? [];
  return (
    <div className="step-detail">
      {detail.slow && <Progress />}
      {detail.error && <Failure what={t('error.edge')} error={detail.error} again={detail.again} />}
      {[...new Set(expressions)].map((text) => (
        <code key={text}>{text}</code>
      ))}
      {statement?.query_id && <a href={href('query', { id: statement.query_id })}>{t('change.query')}</a>}
      {statement && !statement.query_id && <span className="mono muted">{statement.script}</span>}
    </div>
  );
}

function TraceStep({ edge }: { edge: ColumnEdge }) {
  const { t } = useTranslation();
  const reason = useReason();
  const [open, setOpen] = useState(false);
  return (
    <>
      <span className="muted">
        {' '}
        {t(`transform.${edge.transform}`)}
        {edge.kind === 'indirect' && ` · ${t('edge.indirect')}`}
      </span>
      {edge.evidence !== 'ran' && <Tag kind={edge.evidence}>{t(`evidence.${edge.evidence}`)}</Tag>}
      {edge.state !== 'current' && <Tag kind={edge.state}>{t(`state.${edge.state}`)}</Tag>}
      {edge.uncertain.length > 0 && (
        <Tag kind="uncertain" title={edge.uncertain.map(reason).join('\n')}>
          ? {reason(edge.uncertain[0]!)}
        </Tag>
      )}
      <button className="link step" aria-expanded={open} onClick={() => setOpen(!open)}>
        {t('edge.expression')} {open ? '▴' : '▾'}
      </button>
      {edge.expression && !open && <code>{edge.expression}</code>}
      {open && <StepDetail edge={edge} />}
    </>
  );
}

function Trace({ graph, side }: { graph: ColumnGraph; side: 'up' | 'down' }) {
  const { t } = useTranslation();
  const rows = useMemo(() => traceRows(graph, side), [graph, side]);
  if (rows.length === 0) return <Empty>{t(`column.none_${side}`)}</Empty>;
  return (
    <>
      {!graph.complete && <p className="notice">{t('notice.cut')}</p>}
      <ul className="trace">
        {rows.map((row) => (
          <li key={row.key} style={{ paddingInlineStart: `${Math.min(row.depth - 1, 12) * 20 + 4}px` }}>
            <ColumnLink id={row.id} />
            <TraceStep edge={row.edge} />
            {row.seen && <span className="muted"> {t('column.seen')}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}

export function ColumnPage({ place }: { place: Place }) {
  const { t } = useTranslation();
  const name = place.params.get('name') ?? '';
  const namespace = place.params.get('namespace') ?? '';
  const column = place.params.get('column') ?? '';
  const common = { name, namespace, column, depth: 100, limit: 2000, expressions: true };
  const up = useQuery<ColumnGraph>('/column-graph', { ...common, direction: 'up' });
  const down = useQuery<ColumnGraph>('/column-graph', { ...common, direction: 'down' });
  const info = useQuery<Page<Column>>('/columns', { name, namespace, q: column, limit: 1000 });
  const mine = info.data?.items.find((one) => one.name === column);
  const inMap = href('table', new URLSearchParams([['name', name], ...(namespace ? [['namespace', namespace]] : []), ['cols', name], ['pin', `${name}!${column}`]]));
  return (
    <div className="page">
      <h1 title={`${name}.${column}`}>
        <a className="muted" href={href('table', { name, ...(namespace ? { namespace } : {}) })}>
          {name}
        </a>
        .{column}
        {mine?.type && <Tag>{mine.type}</Tag>}
        {mine?.comment && <small className="muted">{mine.comment}</small>}
      </h1>
      <p>
        <a className="button" href={inMap}>
          {t('column.in_map')}
        </a>
      </p>
      {up.error ? (
        <Failure what={t('error.column', { name: `${name}.${column}` })} error={up.error} again={up.again} />
      ) : (
        <div className="columns-2">
          <section className="block">
            <h2>{t('column.up')}</h2>
            {up.slow && <Progress />}
            {up.data && <Trace graph={up.data} side="up" />}
          </section>
          <section className="block">
            <h2>{t('column.down')}</h2>
            {down.slow && <Progress />}
            {down.error && <Failure what={t('column.down')} error={down.error} again={down.again} />}
            {down.data && <Trace graph={down.data} side="down" />}
          </section>
        </div>
      )}
      {!up.error && (
        <>
          <h2>{t('table.impact')}</h2>
          <ImpactView name={name} namespace={namespace} column={column} />
        </>
      )}
    </div>
  );
}
