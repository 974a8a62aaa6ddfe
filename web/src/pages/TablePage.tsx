// One table: a line of facts, and tabs for its lineage, columns, impact, checks, queries and history.
import { Tabs } from 'radix-ui';
import { useTranslation } from 'react-i18next';
import type { SchemaChange, Query, TableDetail } from '../api/types';
import { useQuery } from '../api/use';
import { Workspace } from '../lineage/Workspace';
import { Reasons } from '../panels/EdgePanel';
import { formatPlace, go, href, type Place } from '../state/location';
import { splitName } from '../state/names';
import { checkText, readView, writeView, type View } from '../state/view';
import { ChangeList } from '../ui/ChangeList';
import { Paged } from '../ui/Paged';
import { Failure, Progress, TableLink, Tag } from '../ui/parts';
import { QueryTable } from '../ui/QueryTable';
import { moment, number } from '../ui/time';
import { ChecksTab } from './ChecksTab';
import { ColumnsTab } from './ColumnsTab';
import { ImpactView } from './ImpactView';
import { Facts } from './Facts';

const TABS = ['lineage', 'columns', 'impact', 'checks', 'queries', 'history'] as const;
type Tab = (typeof TABS)[number];

function QueriesTab({ name, namespace, role }: { name: string; namespace: string; role: string }) {
  const { t } = useTranslation();
  const link = (value: string) => {
    const params = { name, ...(namespace ? { namespace } : {}), tab: 'queries', ...(value ? { role: value } : {}) };
    return (
      <a key={value} href={href('table', params)} aria-current={role === value ? 'true' : undefined}>
        {t(`queries.${value || 'all'}`)}
      </a>
    );
  };
  return (
    <div className="page">
      <p className="segments links">{['', 'read', 'write'].map(link)}</p>
      <Paged<Query> path="/queries" query={{ name, namespace, role }} what={t('error.queries')} none={t('queries.none')}>
        {(queries) => <QueryTable queries={queries} />}
      </Paged>
    </div>
  );
}

function Title({ detail, name }: { detail: TableDetail | undefined; name: string }) {
  const { t } = useTranslation();
  const { database, table } = splitName(name);
  const dataset = detail?.dataset;
  return (
    <h1 title={name}>
      {database && <span className="muted">{database}.</span>}
      {table}
      {dataset && dataset.kind !== 'table' && <Tag>{t(`kind.${dataset.kind}`)}</Tag>}
      {dataset?.status === 'offline' && <Tag kind="offline">{t('status.offline')}</Tag>}
      {dataset?.status === 'unknown' && <Tag title={t('status.unknown_why')}>{t('status.unknown')}</Tag>}
      {dataset?.comment && <small className="muted">{dataset.comment}</small>}
    </h1>
  );
}

// A name that is gone leads to the one that its table got; that one tells where it comes from.
function Renamed({ detail }: { detail: TableDetail }) {
  const { t } = useTranslation();
  const { renamed_to: to, renamed_from: from, dataset } = detail;
  const other = to ?? from;
  if (!other) return null;
  return (
    <p className={to ? 'notice' : 'muted'}>
      {t(to ? 'table.renamed_to' : 'table.renamed_from', { when: moment(other.time) })} <TableLink name={other.name} namespace={dataset.namespace} />
    </p>
  );
}

// Failed ones where there are some, else all.
function CheckCount({ checks }: { checks: TableDetail['checks'] }) {
  const { t } = useTranslation();
  const all = checks.fail + checks.warn + checks.pass;
  if (checks.fail > 0)
    return (
      <>
        {' '}
        <Tag kind="bad" title={t('check.failed', { count: checks.fail })}>
          {checks.fail}
        </Tag>
      </>
    );
  return all > 0 ? <small> {all}</small> : null;
}

const COUNT_TO = 10_000;

const matching = (counted: TableDetail | undefined, detail: TableDetail): TableDetail | undefined =>
  counted?.dataset.id === detail.dataset.id ? counted : undefined;

export function TablePage({ place }: { place: Place }) {
  const { t, i18n } = useTranslation();
  const { params } = place;
  const view = readView(params);
  const { focus: name, namespace } = view;
  const tab = TABS.find((one) => one === params.get('tab')) ?? 'lineage';
  const detail = useQuery<TableDetail>(name ? '/table' : null, { name, namespace });
  // Counting far takes longer, so it comes behind.
  const counted = useQuery<TableDetail>(name && detail.data && !(detail.data.up.total_is_exact && detail.data.down.total_is_exact) ? '/table' : null, {
    name,
    namespace,
    count_to: COUNT_TO,
  });
  const current = detail.data && [name.toLowerCase(), name].includes(detail.data.dataset.name) ? (matching(counted.data, detail.data) ?? detail.data) : undefined;
  const setView = (next: View, how: 'push' | 'replace' = 'push') => go(formatPlace('table', writeView(next)), how);
  const choose = (next: string) =>
    go(formatPlace('table', { name, ...(namespace ? { namespace } : {}), ...(next === 'lineage' ? {} : { tab: next as Tab }) }));

  if (detail.error?.problem.status === 404)
    return (
      <div className="page">
        <h1>{name}</h1>
        <Failure what={t('error.table', { name })} error={detail.error} />
      </div>
    );
  return (
    <Tabs.Root className="table-page" value={tab} onValueChange={choose} activationMode="manual">
      <div className="table-head">
        <Title detail={current} name={name} />
        {current ? <Facts detail={current} /> : <div className="facts-place">{detail.slow && <Progress />}</div>}
        {detail.error && <Failure what={t('error.table', { name })} error={detail.error} again={detail.again} />}
        {current && <Renamed detail={current} />}
        {current && <Reasons list={current.uncertain} />}
        <Tabs.List className="tabs" aria-label={t('table.tabs')}>
          {TABS.map((one) => (
            <Tabs.Trigger key={one} value={one}>
              {t(`table.${one}`)}
              {one === 'impact' && current && <small> {number(current.down.total, i18n.language) + (current.down.total_is_exact ? '' : '+')}</small>}
              {one === 'checks' && current && <CheckCount checks={current.checks} />}
              {one === 'columns' && current && <small> {number(current.dataset.column_count, i18n.language)}</small>}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
      </div>
      <Tabs.Content value="lineage" className="tab-lineage" tabIndex={-1}>
        <Workspace view={view} setView={setView} />
      </Tabs.Content>
      <Tabs.Content value="columns" tabIndex={-1}>
        <ColumnsTab name={name} namespace={namespace} detail={current} />
      </Tabs.Content>
      <Tabs.Content value="impact" tabIndex={-1}>
        <div className="page">
          <ImpactView name={name} namespace={namespace} column={null} />
        </div>
      </Tabs.Content>
      <Tabs.Content value="checks" tabIndex={-1}>
        {current && (
          <ChecksTab
            id={current.dataset.id}
            name={name}
            namespace={namespace}
            picked={view.check?.picked ?? null}
            pick={(picked) => go(formatPlace('table', { name, ...(namespace ? { namespace } : {}), tab: 'checks', check: checkText({ table: name, picked }) }), 'replace')}
          />
        )}
      </Tabs.Content>
      <Tabs.Content value="queries" tabIndex={-1}>
        <QueriesTab name={name} namespace={namespace} role={params.get('role') ?? ''} />
      </Tabs.Content>
      <Tabs.Content value="history" tabIndex={-1}>
        <div className="page">
          <Paged<SchemaChange> path="/history" query={{ name, namespace }} what={t('error.history')} none={t('table.no_history')}>
            {(changes) => <ChangeList changes={changes} named={false} />}
          </Paged>
        </div>
      </Tabs.Content>
    </Tabs.Root>
  );
}
