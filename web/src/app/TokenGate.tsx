// Where the server asks for a token, so does the page, before anything else.
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { token } from '../api/client';
import type { Home } from '../api/types';
import { useQuery } from '../api/use';

export function TokenGate({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const [turn, setTurn] = useState(0);
  const [text, setText] = useState('');
  const home = useQuery<Home>('/home', { _: turn || undefined });
  if (home.error?.problem.status !== 401) return children;
  return (
    <form
      className="gate"
      onSubmit={(event) => {
        event.preventDefault();
        token.set(text.trim());
        setTurn((n) => n + 1);
      }}
    >
      <h1>{t('token.title')}</h1>
      <p>{t('token.how')}</p>
      <div className="row">
        <input type="password" autoComplete="off" value={text} aria-label={t('token.label')} onChange={(event) => setText(event.target.value)} />
        <button className="button primary">{t('token.use')}</button>
      </div>
      {token.get() && <p role="alert">{t('token.wrong')}</p>}
    </form>
  );
}
