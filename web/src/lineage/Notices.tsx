// What a person must know of the picture: that it is cut, or of another date, or that a locked path goes on beyond it.
// It lies over the picture, so that its coming and going moves nothing.
import { useTranslation } from 'react-i18next';
import type { ColumnGraph } from '../api/types';
import type { Lineage } from '../map/useLineage';
import { namespaceOf } from '../state/names';
import type { Picture } from '../state/visible';
import type { View } from '../state/view';
import { NODE_BUDGET } from '../state/visible';
import { Switch } from '../ui/parts';

export interface NoticesProps {
  view: View;
  setView: (view: View) => void;
  lineage: Lineage;
  picture: Picture;
  hubEdges: number; // conditions over hubs that are hidden
  traces: ColumnGraph[];
  short: (id: string) => string;
}

// The dates are chosen here and not in the toolbar, which would grow and move the picture.
function DateNote({ view, setView }: Pick<NoticesProps, 'view' | 'setView'>) {
  const { t } = useTranslation();
  const today = new Date().toISOString().slice(0, 10);
  const day = (value: string, label: string, set: (value: string) => void) => (
    <input type="date" value={value} max={today} aria-label={label} onChange={(event) => event.target.value && set(event.target.value)} />
  );
  const { diff } = view;
  return (
    <span className="date-note">
      {diff ? t('notice.diff', diff) : t('notice.as_of', { date: view.asOf })}
      {!diff && day(view.asOf, t('date.as_of'), (asOf) => setView({ ...view, asOf }))}
      {diff && day(diff.from, t('date.from'), (from) => setView({ ...view, diff: { ...diff, from } }))}
      {diff && <span aria-hidden="true">→</span>}
      {diff && day(diff.to, t('date.to'), (to) => setView({ ...view, diff: { ...diff, to } }))}
    </span>
  );
}

export function Notices({ view, setView, lineage, picture, hubEdges, traces, short }: NoticesProps) {
  const { t } = useTranslation();
  // Collapsed temporary tables are in the picture, in the edges that lead through them.
  const through = picture.edges.flatMap((edge) => edge.through.map((name) => `${namespaceOf(edge.source)}#${name}`));
  const drawn = new Set([...picture.tables, ...through]);
  const beyond = [...new Set(traces.flatMap((trace) => trace.nodes.map((node) => node.dataset)))].filter((id) => !drawn.has(id));
  const cut = traces.some((trace) => !trace.complete) || !lineage.graph.complete;
  const notes: React.ReactNode[] = [];
  if (view.asOf || view.diff) notes.push(<DateNote view={view} setView={setView} />);
  if (cut) notes.push(t('notice.cut'));
  if (picture.tables.length >= NODE_BUDGET) notes.push(t('notice.budget', { count: NODE_BUDGET }));
  if (beyond.length > 0)
    notes.push(
      <>
        {t('notice.beyond', { count: beyond.length })}{' '}
        <button className="link" onClick={() => setView({ ...view, shown: [...new Set([...view.shown, ...beyond.map(short)])] })}>
          {t('notice.draw_path')}
        </button>
      </>,
    );
  // Here and not among the other switches, which must not move what is below them.
  if (view.indirect && (hubEdges > 0 || view.hubs))
    notes.push(
      <>
        {view.hubs ? t('notice.hubs_shown') : t('notice.hubs_hidden', { count: hubEdges })}{' '}
        <Switch label={t('notice.hubs')} title={t('notice.hubs_why')} on={view.hubs} set={(hubs) => setView({ ...view, hubs })} />
      </>,
    );
  const locked = view.pins.length > 0;
  return (
    <div className="notices">
      <div role="status">
        {notes.length > 0 && (
          <ul>
            {notes.map((note, index) => (
              <li key={index}>{note}</li>
            ))}
          </ul>
        )}
      </div>
      {locked && (
        <button className="button release" onClick={() => setView({ ...view, pins: [] })}>
          {t('toolbar.release')} <kbd>Esc</kbd>
        </button>
      )}
    </div>
  );
}
