import { LANGUAGES } from './define-words.js';
import type { Language } from './define-words.js';

/** `system` follows the operating system. */
export const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

/**
 * External images reveal to their host who views them and when. `asked` loads each image on
 * request.
 */
export const PICTURES = ['asked', 'always'] as const;
type Pictures = (typeof PICTURES)[number];

/** Appearance and language of the console in this browser. */
export interface Preferences {
  readonly theme: Theme;
  readonly language: Language;
  readonly pictures: Pictures;
}

const KEY = 'tieline.preferences';

/**
 * Returns the stored preferences, else the system theme and the first supported language of the
 * browser.
 */
export function readPreferences(
  storage: Pick<Storage, 'getItem'>,
  languages: readonly string[],
): Preferences {
  const kept = parsed(storage.getItem(KEY));
  const spoken = languages.map((tag) => tag.slice(0, 2)).find((tag) => LANGUAGES.includes(tag as Language));
  return {
    theme: THEMES.find((theme) => theme === kept.theme) ?? 'system',
    language: LANGUAGES.find((one) => one === kept.language) ?? (spoken as Language | undefined) ?? 'en',
    pictures: PICTURES.find((one) => one === kept.pictures) ?? 'asked',
  };
}

/** Stores the preferences. In private windows they last until the page is reloaded. */
export function keepPreferences(storage: Pick<Storage, 'setItem'>, preferences: Preferences): void {
  try {
    storage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // Storage is full or forbidden: only the selection is lost.
  }
}

function parsed(text: string | null): { theme?: unknown; language?: unknown; pictures?: unknown } {
  try {
    return (JSON.parse(text ?? '{}') as object | null) ?? {};
  } catch {
    return {};
  }
}
