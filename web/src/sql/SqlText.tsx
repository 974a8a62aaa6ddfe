// SQL as people read it, with marked ranges.
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { piecesOf, type Range } from './pieces';

export interface SqlTextProps {
  sql: string;
  ranges?: Range[];
  label?: string;
}

const NO_RANGES: Range[] = [];

export function SqlText({ sql, ranges = NO_RANGES, label }: SqlTextProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLPreElement>(null);
  const pieces = useMemo(() => piecesOf(sql, ranges), [sql, ranges]);
  useEffect(() => {
    const mark = box.current?.querySelector<HTMLElement>('mark.strong');
    if (mark && box.current) box.current.scrollTop = Math.max(0, mark.offsetTop - 60);
  }, [pieces]);
  return (
    <pre className="sql" ref={box} tabIndex={0} aria-label={label ?? t('sql.text')}>
      <code>
        {pieces.map((piece, index) => {
          const className = piece.token === 'plain' ? undefined : `sql-${piece.token}`;
          if (piece.marks.length > 0)
            return (
              <mark key={index} className={[className, ...piece.marks].filter(Boolean).join(' ')} title={piece.title}>
                {piece.text}
              </mark>
            );
          return className ? (
            <span key={index} className={className}>
              {piece.text}
            </span>
          ) : (
            piece.text
          );
        })}
      </code>
    </pre>
  );
}
