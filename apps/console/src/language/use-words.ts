import type { Phrase, Words } from './define-words.js';
import { usePreferences } from './preferences-context.js';

/** Returns the texts of an area in the user's language. */
export function useWords<T extends Record<string, Phrase>>(words: Words<T>): T {
  return words[usePreferences().language] as T;
}
