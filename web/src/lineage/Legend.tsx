// What the colours of the lens and the kinds of lines mean. Always shown with the picture.
import { useTranslation } from 'react-i18next';
import type { Dataset } from '../api/types';
import type { Keepings } from '../map/useKeepings';
import { legendOf } from '../state/lens';
import type { View } from '../state/view';

const MOST_ENTRIES = 12;

function LineSample({ kind }: { kind: string }) {
  return (
    <svg className={`sample line ${kind}`} viewBox="0 0 30 8" aria-hidden="true">
      <path className="line-drawn" d="M1,4H29" />
    </svg>
  );
}

export function Legend({ view, datasets, keepings, trail, now }: { view: View; datasets: Dataset[]; keepings: Keepings; trail: boolean; now: number }) {
  const { t } = useTranslation();
  const entries = legendOf(view.lens, datasets, now, keepings);
  const kinds = view.diff ? ['change-added', 'change-gone', 'direct'] : ['direct', ...(view.indirect ? ['indirect'] : []), 'superseded', 'seen-script'];
  const lines = trail ? [...kinds, 'trail'] : kinds;
  return (
    <div className="legend" role="note" aria-label={t('legend.title')}>
      {entries.length > 0 && (
        <ul className="legend-lens">
          <li className="legend-title">{t(`lens.name_${view.lens}`)}</li>
          {entries.slice(0, MOST_ENTRIES).map((entry) => (
            <li key={entry.label}>
              <i style={{ background: entry.colour }} />
              {entry.label.startsWith('lens.') ? t(entry.label) : entry.label} <small>{entry.count}</small>
            </li>
          ))}
          {entries.length > MOST_ENTRIES && <li>{t('legend.more', { count: entries.length - MOST_ENTRIES })}</li>}
        </ul>
      )}
      <ul className="legend-lines">
        {lines.map((kind) => (
          <li key={kind}>
            <LineSample kind={kind} />
            {t(`legend.${kind}`)}
          </li>
        ))}
      </ul>
    </div>
  );
}
