import { LANGUAGES } from '../words/define-words.js';
import type { Language } from '../words/define-words.js';

/** `system` follows the machine. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/**
 * Pictures that bots name lie on hosts that learn who looks at them, and when: `asked` loads each
 * by a press.
 */
export const PICTURES = ['asked', 'always'] as const;
export type Pictures = (typeof PICTURES)[number];

/** How the console looks and speaks in this browser. */
export interface Preferences {
  readonly theme: Theme;
  readonly language: Language;
  readonly pictures: Pictures;
}

const KEY = 'tieline.preferences';

/**
 * What was chosen here before; else the machine's theme and the first of the browser's languages
 * that we speak.
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

/**
 * Where nothing can be kept (a private window), the choice holds until the page is loaded again.
 */
export function keepPreferences(storage: Pick<Storage, 'setItem'>, preferences: Preferences): void {
  try {
    storage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // Full or forbidden: nothing is lost but the choice.
  }
}

function parsed(text: string | null): { theme?: unknown; language?: unknown; pictures?: unknown } {
  try {
    return (JSON.parse(text ?? '{}') as object | null) ?? {};
  } catch {
    return {};
  }
}
