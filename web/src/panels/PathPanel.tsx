// The way from one locked table or column to another, hop by hop, with the expression composed across all of them.
import { useTranslation } from 'react-i18next';
import type { PathAnswer } from '../api/types';
import { useLoad } from '../api/use';
import { get } from '../api/client';
import { columnNameOf, nameOf, tableIdOf } from '../state/names';
import { Failure, Progress } from '../ui/parts';

const ask = (from: string, to: string, signal: AbortSignal): Promise<PathAnswer> =>
  get<PathAnswer>(
    '/path',
    {
      source: tableIdOf(from),
      target: tableIdOf(to),
      source_column: columnNameOf(from),
      target_column: columnNameOf(to),
    },
    signal,
  );

// Which of the two is the source is found out by asking.
async function eitherWay(a: string, b: string, signal: AbortSignal): Promise<PathAnswer> {
  const there = await ask(a, b, signal);
  return there.found ? there : ask(b, a, signal);
}

export function PathPanel({ pins, close }: { pins: string[]; close: () => void }) {
  const { t } = useTranslation();
  const [a, b] = pins as [string, string];
  const mixed = (columnNameOf(a) === null) !== (columnNameOf(b) === null);
  const path = useLoad<PathAnswer>(mixed ? null : `path ${a} ${b}`, (signal) => eitherWay(a, b, signal));
  const found = path.data;
  return (
    <aside className="panel" aria-label={t('path.title')}>
      <header>
        <h2>{t('path.title')}</h2>
        <button className="plain" aria-label={t('close')} onClick={close}>
          ✕
        </button>
      </header>
      {path.slow && <Progress />}
      {path.error && <Failure what={t('error.path')} error={path.error} again={path.again} />}
      {mixed && <p>{t('path.mixed')}</p>}
      {found && !found.found && <p>{t('path.none', { a: nameOf(a), b: nameOf(b) })}</p>}
      {found?.found && (
        <>
          <p>{t('path.hops', { count: found.hops.length, source: nameOf(found.source), target: nameOf(found.target) })}</p>
          {found.composed && (
            <div className="composed">
              <h3>{t('path.composed')}</h3>
              <code>
                {columnNameOf(found.target)} = {found.composed}
              </code>
            </div>
          )}
          {!found.composed && columnNameOf(found.target) !== null && found.hops.length > 0 && <p className="muted">{t('path.not_composed')}</p>}
          <ol className="hops">
            {found.hops.map((hop) => (
              <li key={hop.source + hop.target}>
                <span className="mono">{nameOf(hop.source)}</span>
                <span className="muted">
                  {' '}
                  ↓ {hop.transform && t(`transform.${hop.transform}`)} {hop.kind === 'indirect' && t('edge.indirect')}
                </span>
                {hop.expression && <code>{hop.expression}</code>}
                <span className="mono">{nameOf(hop.target)}</span>
              </li>
            ))}
          </ol>
        </>
      )}
    </aside>
  );
}
