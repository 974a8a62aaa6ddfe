// Language and light or dark, as the person chose them, else as the browser says. Kept in this browser.
import i18n from 'i18next';
import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';
export type Language = 'en' | 'zh';

const THEME = 'colline.theme';
const LANGUAGE = 'colline.language';

export function storedLanguage(): Language {
  const value = localStorage.getItem(LANGUAGE);
  if (value === 'en' || value === 'zh') return value;
  return navigator.languages.some((one) => one.toLowerCase().startsWith('zh')) && !navigator.language.startsWith('en') ? 'zh' : 'en';
}

// What public/theme.js made hold: the person's choice, else the system's.
const themeNow = (): Theme => (document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light');

function onTheme(changed: () => void): () => void {
  const watch = new MutationObserver(changed);
  watch.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => watch.disconnect();
}

export function applyLanguage(language: Language): void {
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
  void i18n.changeLanguage(language);
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(onTheme, themeNow);
  return [
    theme,
    (next) => {
      localStorage.setItem(THEME, next);
      window.dispatchEvent(new Event('colline-theme'));
    },
  ];
}

export function chooseLanguage(language: Language): void {
  localStorage.setItem(LANGUAGE, language);
  applyLanguage(language);
}
