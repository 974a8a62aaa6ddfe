// The page's frame: head with search, one page by the address below it.
import { Component, useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { startLayouts } from '../map/elk';
import { ColumnPage } from '../pages/ColumnPage';
import { HealthPage } from '../pages/HealthPage';
import { HomePage } from '../pages/HomePage';
import { PlaygroundPage } from '../pages/PlaygroundPage';
import { QueryPage } from '../pages/QueryPage';
import { SearchPage } from '../pages/SearchPage';
import { TablePage } from '../pages/TablePage';
import { href, usePlace, type Place } from '../state/location';
import { SearchBox } from './SearchBox';
import { chooseLanguage, useTheme } from './settings';
import { TokenGate } from './TokenGate';

const PAGES: Record<string, (props: { place: Place }) => ReactNode> = {
  '': HomePage,
  table: TablePage,
  column: ColumnPage,
  query: QueryPage,
  search: SearchPage,
  playground: PlaygroundPage,
  health: HealthPage,
};

// A fault of the page itself says so, in place of the page alone.
class Guard extends Component<{ children: ReactNode; text: string }, { fault: string | null }> {
  state = { fault: null };
  static getDerivedStateFromError(error: unknown) {
    return { fault: String(error) };
  }
  render() {
    if (this.state.fault === null) return this.props.children;
    return (
      <div className="failure" role="alert">
        <strong>{this.props.text}</strong>
        <p className="mono">{this.state.fault}</p>
      </div>
    );
  }
}

function Head({ page }: { page: string }) {
  const { t, i18n } = useTranslation();
  const [theme, setTheme] = useTheme();
  const link = (to: string, text: string) => (
    <a href={href(to)} aria-current={page === to ? 'page' : undefined}>
      {text}
    </a>
  );
  const dark = theme === 'dark';
  return (
    <header className="head">
      <a className="brand" href={href('')} aria-label={t('nav.home')}>
        <img src="./icon.svg" alt="" width="24" height="24" />
        Colline
      </a>
      <SearchBox />
      <nav aria-label={t('nav.label')}>
        {link('playground', t('nav.playground'))}
        {link('health', t('nav.health'))}
      </nav>
      <button className="plain" lang={i18n.language === 'zh' ? 'en' : 'zh'} onClick={() => chooseLanguage(i18n.language === 'zh' ? 'en' : 'zh')}>
        {i18n.language === 'zh' ? 'English' : '中文'}
      </button>
      <button className="plain" onClick={() => setTheme(dark ? 'light' : 'dark')} aria-label={t(dark ? 'theme.to_light' : 'theme.to_dark')} title={t(dark ? 'theme.to_light' : 'theme.to_dark')}>
        {dark ? '☀' : '☾'}
      </button>
    </header>
  );
}

function NoPage() {
  const { t } = useTranslation();
  return (
    <div className="page">
      <h1>{t('error.no_page')}</h1>
      <p>
        <a href={href('')}>{t('error.home')}</a>
      </p>
    </div>
  );
}

export function App() {
  const { t } = useTranslation();
  const place = usePlace();
  const Page = PAGES[place.page];
  useEffect(startLayouts, []);
  const name = place.params.get('name') ?? place.params.get('id');
  useEffect(() => {
    document.title = [name, 'Colline'].filter(Boolean).join(' · ');
  }, [name]);
  return (
    <>
      <a className="skip" href="#main" onClick={(event) => (event.preventDefault(), document.getElementById('main')?.focus())}>
        {t('nav.skip')}
      </a>
      <Head page={place.page} />
      <main id="main" tabIndex={-1}>
        <Guard key={place.page} text={t('error.page')}>
          <TokenGate>{Page ? <Page place={place} /> : <NoPage />}</TokenGate>
        </Guard>
      </main>
    </>
  );
}
