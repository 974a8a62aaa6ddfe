// The switches of a lineage view, in one row: what is drawn, how it is coloured, as of when, and what to do with it.
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { exportPng, exportSvg } from '../export/picture';
import type { Point } from '../map/geometry';
import type { Scene } from '../map/scene';
import { GROUPINGS, LENSES, MOST_DEPTH, type Grouping, type Lens, type Mode, type View } from '../state/view';
import { Switch } from '../ui/parts';
import { SaveDialog } from './SaveDialog';

export interface ToolbarProps {
  view: View;
  setView: (view: View) => void;
  scene: Scene;
  places: Map<string, Point> | null;
  tidy: () => void;
  help: () => void;
}

const MODES: Mode[] = ['graph', 'both', 'list'];

function Dates({ view, setView }: Pick<ToolbarProps, 'view' | 'setView'>) {
  const { t } = useTranslation();
  const kind = view.diff ? 'diff' : view.asOf ? 'as_of' : 'now';
  const today = new Date().toISOString().slice(0, 10);
  const earlier = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
  const choose = (next: string) =>
    setView({ ...view, asOf: next === 'as_of' ? today : '', diff: next === 'diff' ? { from: view.asOf || earlier, to: today } : null });
  return (
    <select value={kind} aria-label={t('date.label')} onChange={(event) => choose(event.target.value)}>
      <option value="now">{t('date.now')}</option>
      <option value="as_of">{t('date.as_of')}</option>
      <option value="diff">{t('date.diff')}</option>
    </select>
  );
}

function Menu({ view, scene, places, tidy, help, save }: ToolbarProps & { save: () => void }) {
  const { t } = useTranslation();
  const name = view.focus.replace(/[^\p{L}\p{N}_.-]+/gu, '_');
  const item = (label: string, act: () => void, disabled = false) => (
    <DropdownMenu.Item className="menu-item" onSelect={act} disabled={disabled}>
      {label}
    </DropdownMenu.Item>
  );
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className="button">{t('toolbar.more')} ▾</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={4}>
          {item(t('toolbar.save'), save)}
          {item(t('toolbar.copy'), () => void navigator.clipboard?.writeText(window.location.href))}
          <DropdownMenu.Separator className="menu-line" />
          {item(t('toolbar.tidy'), tidy, !places)}
          {item(t('toolbar.svg'), () => exportSvg(name, scene, places!), !places)}
          {item(t('toolbar.png'), () => void exportPng(name, scene, places!), !places)}
          <DropdownMenu.Separator className="menu-line" />
          {item(t('toolbar.keys'), help)}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export function Toolbar(props: ToolbarProps) {
  const { view, setView } = props;
  const { t } = useTranslation();
  const [saving, setSaving] = useState(false);
  return (
    <div className="toolbar" role="toolbar" aria-label={t('toolbar.label')}>
      <span className="toolbar-group segments" role="group" aria-label={t('toolbar.mode')}>
        {MODES.map((mode) => (
          <button key={mode} aria-pressed={view.mode === mode} onClick={() => setView({ ...view, mode })}>
            {t(`mode.${mode}`)}
          </button>
        ))}
      </span>
      <Switch label={t('toolbar.indirect')} on={view.indirect} set={(indirect) => setView({ ...view, indirect })} />
      <Switch label={t('toolbar.statements')} on={view.statements} set={(statements) => setView({ ...view, statements })} />
      <Switch label={t('toolbar.temporary')} on={view.temporary} set={(temporary) => setView({ ...view, temporary })} />
      <Switch label={t('toolbar.offline')} on={view.offline} set={(offline) => setView({ ...view, offline })} />
      <label className="toolbar-group" title={view.group ? t(`group.why_${view.group}`) : undefined}>
        {t('group.label')}
        <select value={view.group} onChange={(event) => setView({ ...view, group: event.target.value as Grouping, shut: [] })}>
          {GROUPINGS.map((one) => (
            <option key={one} value={one}>
              {t(`group.${one || 'none'}`)}
            </option>
          ))}
        </select>
      </label>
      <Switch label={t('toolbar.columns')} on={view.columns.includes('*')} set={(all) => setView({ ...view, columns: all ? ['*'] : [] })} />
      <label className="toolbar-group">
        {t('lens.label')}
        <select value={view.lens} onChange={(event) => setView({ ...view, lens: event.target.value as Lens })}>
          {LENSES.map((lens) => (
            <option key={lens} value={lens}>
              {t(`lens.name_${lens}`)}
            </option>
          ))}
        </select>
      </label>
      <label className="toolbar-group">
        {t('toolbar.depth')}
        <select value={view.depth} onChange={(event) => setView({ ...view, depth: Number(event.target.value) })}>
          {Array.from({ length: MOST_DEPTH }, (_, index) => (
            <option key={index + 1}>{index + 1}</option>
          ))}
        </select>
      </label>
      <Dates view={view} setView={setView} />
      <span className="grow" />
      <Menu {...props} save={() => setSaving(true)} />
      {saving && <SaveDialog suggestion={view.focus} close={() => setSaving(false)} />}
    </div>
  );
}
