// What a diagnostic says, in the reader's language: the program's own words are English.
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Uncertain } from '../api/types';

export function useReason(): (one: Uncertain) => string {
  const { t, i18n } = useTranslation();
  return useCallback(
    (one) => (i18n.language === 'en' ? one.message : t(`diagnostic.${one.code}`, { defaultValue: one.message })),
    [t, i18n.language],
  );
}
