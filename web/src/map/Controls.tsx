// Nearer, farther, the whole picture, back to the focus.
import { useReactFlow } from '@xyflow/react';
import { useTranslation } from 'react-i18next';
import { viewportFor, type Box } from './geometry';

const LEAST_ZOOM = 0.05;
const ICONS = {
  in: 'M7 3V11M3 7H11',
  out: 'M3 7H11',
  whole: 'M2 5V2H5M9 2H12V5M12 9V12H9M5 12H2V9',
  focus: 'M7 1V4M7 10V13M1 7H4M10 7H13M7 6.9V7.1',
};

export interface ControlsProps {
  boxes: Box[];
  focus: string;
  room: () => { width: number; height: number };
}

export function Controls({ boxes, focus, room }: ControlsProps) {
  const { t } = useTranslation();
  const flow = useReactFlow();
  const show = (least: number, all: Box[]) => {
    const { width, height } = room();
    void flow.setViewport(viewportFor(all, undefined, width, height, least));
  };
  const button = (name: keyof typeof ICONS, act: () => void) => (
    <button aria-label={t(`controls.${name}`)} title={t(`controls.${name}`)} onClick={act}>
      <svg viewBox="0 0 14 14" aria-hidden="true">
        <path d={ICONS[name]} />
      </svg>
    </button>
  );
  return (
    <div className="controls" role="group" aria-label={t('controls.label')}>
      {button('in', () => void flow.zoomIn())}
      {button('out', () => void flow.zoomOut())}
      {button('whole', () => show(LEAST_ZOOM, boxes))}
      {button('focus', () => show(1, boxes.filter((box) => box.id === focus)))}
    </div>
  );
}
