import '@xyflow/react/dist/base.css';
import './styles/theme.css';
import './styles/base.css';
import './styles/frame.css';
import './styles/forms.css';
import './styles/content.css';
import './styles/sql.css';
import './styles/workspace.css';
import './styles/cards.css';
import './styles/lines.css';
import './styles/panels.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/App';
import { applyLanguage, storedLanguage } from './app/settings';
import { startTexts } from './i18n';
import { startLayouts } from './map/elk';

startLayouts();
void startTexts(storedLanguage()).then(() => {
  applyLanguage(storedLanguage());
  createRoot(document.getElementById('root')!).render(<App />);
});
