// What breaks when a table or column changes: who reads it, the very queries that touched it, and all that is further
// downstream.
import { useTranslation } from 'react-i18next';
import type { Dependent, Impact, Query } from '../api/types';
import { useKeepings } from '../map/useKeepings';
import { ownerOf } from '../state/owner';
import { Paged } from '../ui/Paged';
import { TableLink } from '../ui/parts';
import { QueryTable } from '../ui/QueryTable';
import { ago, number } from '../ui/time';

export function Dependents({ items }: { items: Dependent[] }) {
  const { t, i18n } = useTranslation();
  const keepings = useKeepings(items.map((item) => item.dataset.id));
  const withColumns = items.some((item) => item.columns.length > 0);
  return (
    <div className="scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th className="number">{t('list.level')}</th>
            <th>{t('list.name')}</th>
            {withColumns && <th>{t('impact.columns')}</th>}
            <th>{t('list.owner')}</th>
            <th className="number">{t('list.heat')}</th>
            <th>{t('list.last_read')}</th>
            <th>{t('list.last_written')}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.dataset.id}>
              <td className="number">{item.level}</td>
              <td>
                <TableLink name={item.dataset.name} namespace={item.dataset.namespace} />
                {item.kind === 'indirect' && <span className="muted"> {t('edge.indirect')}</span>}
              </td>
              {withColumns && <td className="mono">{item.columns.join(', ')}</td>}
              <td>{ownerOf(item.dataset.owner, keepings.get(item.dataset.id)) ?? '—'}</td>
              <td className="number">{number(item.dataset.heat, i18n.language)}</td>
              <td>{ago(item.dataset.last_read, Date.now(), i18n.language)}</td>
              <td>{ago(item.dataset.last_written, Date.now(), i18n.language)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function ImpactView({ name, namespace, column }: { name: string; namespace: string; column: string | null }) {
  const { t } = useTranslation();
  const query = (layer: string) => ({ name, namespace, column, layer });
  return (
    <>
      <section className="block">
        <h2>{t('impact.direct')}</h2>
        <Paged<Dependent> path="/impact" query={query('direct')} what={t('error.impact')} none={t('impact.no_direct')} pageOf={(answer) => (answer as Impact).direct!}>
          {(items) => <Dependents items={items} />}
        </Paged>
      </section>
      <section className="block">
        <h2>{t('impact.queries')}</h2>
        <Paged<Query> path="/impact" query={query('queries')} what={t('error.impact')} none={t('impact.no_queries')} pageOf={(answer) => (answer as Impact).queries!}>
          {(items) => <QueryTable queries={items} />}
        </Paged>
      </section>
      <section className="block">
        <h2>{t('impact.indirect')}</h2>
        <Paged<Dependent> path="/impact" query={query('indirect')} what={t('error.impact')} none={t('impact.no_indirect')} pageOf={(answer) => (answer as Impact).indirect!}>
          {(items) => <Dependents items={items} />}
        </Paged>
      </section>
    </>
  );
}
