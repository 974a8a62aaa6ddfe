// Gives the present view a name, and lists the saved ones.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keepViews, savedViews, withSaved } from '../state/saved';
import { Dialog } from '../ui/parts';

export function SaveDialog({ suggestion, close }: { suggestion: string; close: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState(suggestion);
  const [list, setList] = useState(savedViews);
  const keep = (next: typeof list) => {
    keepViews(next);
    setList(next);
  };
  return (
    <Dialog title={t('saved.title')} description={t('saved.where')} close={close}>
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault();
          if (!name.trim()) return;
          keep(withSaved(list, { name: name.trim(), hash: window.location.hash, time: Date.now() }));
          close();
        }}
      >
        <input value={name} aria-label={t('saved.name')} onChange={(event) => setName(event.target.value)} maxLength={120} />
        <button className="button primary">{t('saved.save')}</button>
      </form>
      <ul className="plain-list">
        {list.map((one) => (
          <li key={one.name} className="row">
            <a href={one.hash} onClick={close}>
              {one.name}
            </a>
            <span className="grow" />
            <button className="plain" aria-label={t('saved.remove', { name: one.name })} onClick={() => keep(list.filter((other) => other !== one))}>
              ✕
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
