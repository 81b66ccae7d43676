import { createContext, use, useEffect, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { keepPreferences, readPreferences } from './preferences.js';
import type { Preferences } from './preferences.js';

interface PreferencesState extends Preferences {
  change(some: Partial<Preferences>): void;
}

const Context = createContext<PreferencesState | undefined>(undefined);

/** Returns the preferences of this browser and functions to change them. */
export function usePreferences(): PreferencesState {
  const preferences = use(Context);
  if (!preferences) throw new Error('no preferences: render inside <App>');
  return preferences;
}

/** Stores the preferences in this browser and applies them to the document. */
export function PreferencesProvider({ children }: { children: ReactNode }) {
  const [preferences, setPreferences] = useState(() => readPreferences(localStorage, navigator.languages));
  const { theme, language } = preferences;
  useEffect(() => {
    document.documentElement.lang = language;
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme, language]);
  const value = useMemo(
    () => ({
      ...preferences,
      change(some: Partial<Preferences>) {
        const next = { ...preferences, ...some };
        keepPreferences(localStorage, next);
        setPreferences(next);
      },
    }),
    [preferences],
  );
  return <Context value={value}>{children}</Context>;
}
