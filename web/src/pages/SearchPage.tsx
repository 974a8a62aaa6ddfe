// All that a search finds.
import { useTranslation } from 'react-i18next';
import type { Hit } from '../api/types';
import { hitHref, HitText } from '../app/SearchBox';
import { formatPlace, go, type Place } from '../state/location';
import { Paged } from '../ui/Paged';
import { Switch, Tag } from '../ui/parts';

export function SearchPage({ place }: { place: Place }) {
  const { t } = useTranslation();
  const q = place.params.get('q') ?? '';
  const offline = place.params.get('offline') === '1';
  return (
    <div className="page">
      <h1>{t('search.title', { text: q })}</h1>
      <Switch label={t('toolbar.offline')} on={offline} set={(on) => go(formatPlace('search', { q, ...(on ? { offline: '1' } : {}) }), 'replace')} />
      {q && (
        <Paged<Hit> path="/search" query={{ q, offline }} what={t('error.search')} none={t('search.none', { text: q })}>
          {(hits) => (
            <ul className="plain-list hits">
              {hits.map((hit) => (
                <li key={hit.dataset.id + (hit.column ?? '')}>
                  <a href={hitHref(hit)}>
                    <HitText hit={hit} />
                  </a>{' '}
                  <Tag>{t(`search.${hit.type}`)}</Tag>
                  {hit.dataset.status === 'offline' && <Tag kind="offline">{t('status.offline')}</Tag>}
                </li>
              ))}
            </ul>
          )}
        </Paged>
      )}
    </div>
  );
}
