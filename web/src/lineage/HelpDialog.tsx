// The keys, and what the lines and marks of the picture mean.
import { useTranslation } from 'react-i18next';
import { Dialog } from '../ui/parts';

const KEYS: [string, string][] = [
  ['/', 'search'],
  ['← → ↑ ↓', 'walk'],
  ['e', 'expand'],
  ['f', 'focus'],
  ['c', 'columns'],
  ['Enter', 'lock'],
  ['Shift', 'add'],
  ['Esc', 'release'],
  ['q', 'checks'],
  ['i', 'indirect'],
  ['s', 'statements'],
  ['l', 'list'],
  ['?', 'help'],
];

export function HelpDialog({ close }: { close: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('keys.title')} close={close}>
      <table className="keys">
        <tbody>
          {KEYS.map(([key, what]) => (
            <tr key={what}>
              <th scope="row">
                <kbd>{key}</kbd>
              </th>
              <td>{t(`keys.${what}`)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}
