// Small parts that all pages use: switches, dialogs, progress, errors, names.
import { Dialog as RadixDialog, Switch as RadixSwitch } from 'radix-ui';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../api/client';
import { href } from '../state/location';
import { splitName } from '../state/names';

export function Switch({ label, title, on, set }: { label: string; title?: string; on: boolean; set: (on: boolean) => void }) {
  const id = useId();
  return (
    <span className="switch" title={title}>
      <RadixSwitch.Root id={id} checked={on} onCheckedChange={set} className="switch-track">
        <RadixSwitch.Thumb className="switch-thumb" />
      </RadixSwitch.Root>
      <label htmlFor={id}>{label}</label>
    </span>
  );
}

export function Dialog(props: { title: string; description?: string; close: () => void; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <RadixDialog.Root open onOpenChange={(open) => !open && props.close()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="overlay" />
        <RadixDialog.Content className="dialog" aria-describedby={undefined}>
          <header>
            <RadixDialog.Title>{props.title}</RadixDialog.Title>
            <RadixDialog.Close className="plain" aria-label={t('close')}>
              ✕
            </RadixDialog.Close>
          </header>
          {props.description && <p className="muted">{props.description}</p>}
          {props.children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

export function Progress({ what }: { what?: string }) {
  const { t } = useTranslation();
  return (
    <div className="progress" role="status">
      <span className="progress-bar" aria-hidden="true" />
      {what ?? t('loading')}
    </div>
  );
}

// Says what failed, what the server said of it, what to do, and which names look like the one that is not there.
export function Failure({ what, error, again }: { what: string; error: ApiError; again?: () => void }) {
  const { t, i18n } = useTranslation();
  const { problem } = error;
  const kind = problem.status === 0 ? 'unreachable' : problem.status === 401 ? 'unauthorized' : problem.status === 404 ? 'missing' : problem.status === 429 ? 'busy' : problem.status === 503 ? 'store' : 'other';
  const words = t(`error.${kind}`, { status: problem.status });
  // The server speaks English: elsewhere its words come second.
  const [first, second] = problem.detail && i18n.language === 'en' ? [problem.detail, words] : [words, problem.detail];
  return (
    <div className="failure" role="alert">
      <strong>{t('error.failed', { what })}</strong>
      <p>
        {first} {second && <span className="muted">{second}</span>}
      </p>
      {problem.nearest.length > 0 && (
        <p>
          {t('error.nearest')}{' '}
          {problem.nearest.map((one, index) => (
            <span key={one.namespace + one.name}>
              {index > 0 && ', '}
              <a href={href('table', { name: one.name, namespace: one.namespace })}>{one.name}</a>
            </span>
          ))}
        </p>
      )}
      {again && problem.status !== 404 && (
        <button className="button" onClick={again}>
          {t('error.again')}
        </button>
      )}
    </div>
  );
}

export function TableLink({ name, namespace, tab }: { name: string; namespace?: string; tab?: string }) {
  const { database, table } = splitName(name);
  return (
    <a className="name" href={href('table', { name, ...(namespace ? { namespace } : {}), ...(tab ? { tab } : {}) })} title={name}>
      {database && <span className="muted">{database}.</span>}
      {table}
    </a>
  );
}

export function Tag({ kind, children, title }: { kind?: string; children: ReactNode; title?: string }) {
  return (
    <em className={`tag${kind ? ` tag-${kind}` : ''}`} title={title}>
      {children}
    </em>
  );
}

export function Empty({ children }: { children: ReactNode }) {
  return <p className="empty">{children}</p>;
}
