import { UNSPACED, wordsOf } from './words.js';

/** Words that must follow each other, or a single word. */
export interface SearchTerm {
  words: string[];
  /** Whether words that only begin with the last word match, too. */
  isPrefix: boolean;
  /** Whether messages with the term are left out. */
  isExcluded: boolean;
}

/** A word, a phrase in quotes (the closing one may be missing), each possibly excluded. */
const PART = /(-?)(?:"([^"]*)(?:"|$)|(\S+))/gu;
const TYPOGRAPHIC_QUOTES = /[\u201c-\u201f\u00ab\u00bb\uff02]/g;

/**
 * Reads what a person typed (docs/search.md#what-to-type): words, `"phrases"`, `prefix*` and
 * `-word`. Parts without letters, digits or emoji are ignored. Never fails.
 */
export function readSearchTerms(typed: string): SearchTerm[] {
  const terms = new Map<string, SearchTerm>();
  for (const [, minus, phrase, word = ''] of typed.replace(TYPOGRAPHIC_QUOTES, '"').matchAll(PART)) {
    const term = termOf(phrase ?? word, minus === '-');
    if (term) terms.set(JSON.stringify(term), term);
  }
  return [...terms.values()];
}

function termOf(text: string, isExcluded: boolean): SearchTerm | undefined {
  const words = wordsOf(text).map((word) => word.text);
  if (words.length === 0) return undefined;
  const shown = wholeOf(words, text);
  return { words: shown, isPrefix: isPrefix(text, shown), isExcluded };
}

/**
 * Drops the last character of a run without spaces. It is a word in a text, but more may follow.
 */
function wholeOf(words: string[], text: string): string[] {
  const last = words.at(-1) as string;
  const before = words.at(-2);
  const endsRun = before !== undefined && isUnspaced(last) && [...before].at(-1) === last;
  return endsRun && !text.endsWith('*') ? words.slice(0, -1) : words;
}

function isPrefix(text: string, words: string[]): boolean {
  const last = words.at(-1) as string;
  return text.endsWith('*') || (isUnspaced(last) && [...last].length === 1);
}

const UNSPACED_ONLY = new RegExp(`^[${UNSPACED}]+$`, 'u');
const isUnspaced = (word: string): boolean => UNSPACED_ONLY.test(word);
