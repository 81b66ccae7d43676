import { usePreferences } from '../preferences/preferences-context.js';
import type { Phrase, Words } from './define-words.js';

/** The words of an area in the language of the reader. */
export function useWords<T extends Record<string, Phrase>>(words: Words<T>): T {
  return words[usePreferences().language] as T;
}
