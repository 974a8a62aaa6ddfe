// Language and light or dark, as the person chose them, else as the browser says. Kept in this browser.
import i18n from 'i18next';
import { useState } from 'react';

export type Theme = 'auto' | 'light' | 'dark';
export type Language = 'en' | 'zh';

const THEME = 'colline.theme';
const LANGUAGE = 'colline.language';

export function storedTheme(): Theme {
  const value = localStorage.getItem(THEME);
  return value === 'light' || value === 'dark' ? value : 'auto';
}

export function storedLanguage(): Language {
  const value = localStorage.getItem(LANGUAGE);
  if (value === 'en' || value === 'zh') return value;
  return navigator.languages.some((one) => one.toLowerCase().startsWith('zh')) && !navigator.language.startsWith('en') ? 'zh' : 'en';
}

export function applyTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function applyLanguage(language: Language): void {
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
  void i18n.changeLanguage(language);
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(storedTheme);
  return [
    theme,
    (next) => {
      localStorage.setItem(THEME, next);
      applyTheme(next);
      setTheme(next);
    },
  ];
}

export function chooseLanguage(language: Language): void {
  localStorage.setItem(LANGUAGE, language);
  applyLanguage(language);
}
