// The search of the head: any part of a name or comment of tables and columns. `/` leads here from everywhere.
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Hit, Page } from '../api/types';
import { useQuery } from '../api/use';
import { go, href } from '../state/location';

const WAIT_MS = 120;
const SUGGESTIONS = 12;

export function hitHref(hit: Hit): string {
  const { name, namespace } = hit.dataset;
  return hit.type === 'column' ? href('column', { name, namespace, column: hit.column! }) : href('table', { name, namespace });
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), WAIT_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

export function HitText({ hit }: { hit: Hit }) {
  const comment = hit.type === 'column' ? hit.column_comment : hit.dataset.comment;
  return (
    <>
      <span className="hit-name">
        {hit.dataset.name}
        {hit.type === 'column' && <b>.{hit.column}</b>}
      </span>
      {comment && <span className="muted"> {comment}</span>}
    </>
  );
}

export function SearchBox() {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const settled = useSettled(text.trim());
  const hits = useQuery<Page<Hit>>(settled && open ? '/search' : null, { q: settled, limit: SUGGESTIONS });
  const items = settled ? (hits.data?.items ?? []) : [];

  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.key !== '/' || event.ctrlKey || event.metaKey || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);

  const leave = (hash: string) => {
    setOpen(false);
    setText('');
    setAt(-1);
    input.current?.blur();
    go(hash);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setAt((now) => Math.max(-1, Math.min(items.length - 1, now + step)));
    } else if (event.key === 'Enter' && text.trim()) {
      const hit = items[at];
      leave(hit ? hitHref(hit) : href('search', { q: text.trim() }));
    } else if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      if (text) setText('');
      else input.current?.blur();
    }
  };
  const shown = open && settled !== '';
  return (
    <div className="search" role="search">
      <input
        ref={input}
        type="search"
        role="combobox"
        aria-expanded={shown && items.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={at >= 0 ? `${listId}-${at}` : undefined}
        aria-label={t('search.label')}
        placeholder={t('search.placeholder')}
        value={text}
        onFocus={() => setOpen(true)}
        onBlur={() => setTimeout(() => setOpen(false), 150)}
        onChange={(event) => {
          setText(event.target.value);
          setAt(-1);
          setOpen(true);
        }}
        onKeyDown={onKeyDown}
      />
      <kbd aria-hidden="true">/</kbd>
      {shown && (
        <div className="suggestions">
          <ul id={listId} role="listbox" aria-label={t('search.hits')}>
            {items.map((hit, index) => (
              <li
                key={hit.dataset.id + (hit.column ?? '')}
                id={`${listId}-${index}`}
                role="option"
                aria-selected={index === at}
                title={hit.dataset.name}
                onMouseDown={(event) => {
                  event.preventDefault();
                  leave(hitHref(hit));
                }}
              >
                <HitText hit={hit} />
              </li>
            ))}
          </ul>
          {hits.slow && <p className="muted">{t('loading')}</p>}
          {hits.error && <p role="alert">{t('error.failed', { what: t('error.search') })}</p>}
          {hits.data && items.length === 0 && <p className="muted">{t('search.none', { text: settled })}</p>}
        </div>
      )}
    </div>
  );
}
