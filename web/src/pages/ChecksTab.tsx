// The checks of a table with who is hit, and the way into the map, where the trail is drawn.
import { useTranslation } from 'react-i18next';
import { useChecks } from '../map/useCheck';
import { Checks } from '../panels/CheckPanel';
import { href } from '../state/location';
import type { CheckRef } from '../state/view';
import { checkText } from '../state/view';
import { Failure } from '../ui/parts';

export interface ChecksTabProps {
  id: string; // of the dataset
  name: string;
  namespace: string;
  picked: CheckRef['picked'];
  pick: (picked: NonNullable<CheckRef['picked']>) => void;
}

export function ChecksTab({ id, name, namespace, picked, pick }: ChecksTabProps) {
  const { t } = useTranslation();
  const checks = useChecks(id, picked);
  return (
    <div className="page checks-page">
      {checks.error && <Failure what={t('error.checks')} error={checks.error} again={checks.again} />}
      {checks.items && checks.items.length > 0 && (
        <p>
          <a href={href('table', { name, ...(namespace ? { namespace } : {}), check: checkText({ table: name, picked }) })}>{t('check.in_map')}</a>
        </p>
      )}
      <Checks checks={checks} pick={pick} />
    </div>
  );
}
