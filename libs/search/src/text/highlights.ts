import type { SearchTerm } from './search-terms.js';
import { wordsOf } from './words.js';
import type { Word } from './words.js';

/** Start and end of a part of a text, in UTF-16 code units, the end exclusive. */
export type Highlight = [start: number, end: number];

/**
 * Returns the parts of a text that the terms match, in order. Parts that overlap or touch are one
 * (docs/search.md#highlights).
 */
export function highlightsIn(text: string, terms: readonly SearchTerm[]): Highlight[] {
  const wanted = terms.filter((term) => !term.isExcluded);
  if (wanted.length === 0) return [];
  const words = wordsOf(text);
  const found = wanted.flatMap((term) => matchesOf(term, words)).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return joined(found);
}

function matchesOf({ words: wanted, isPrefix }: SearchTerm, words: readonly Word[]): Highlight[] {
  const last = wanted.length - 1;
  const fits = (word: Word | undefined, n: number): boolean => {
    const text = wanted[n] as string;
    return n === last && isPrefix ? word?.text.startsWith(text) === true : word?.text === text;
  };
  return words.flatMap((first, at): Highlight[] =>
    wanted.every((_, n) => fits(words[at + n], n)) ? [[first.start, (words[at + last] as Word).end]] : [],
  );
}

function joined(parts: readonly Highlight[]): Highlight[] {
  const result: Highlight[] = [];
  for (const [start, end] of parts) {
    const previous = result.at(-1);
    if (previous && start <= previous[1]) previous[1] = Math.max(previous[1], end);
    else result.push([start, end]);
  }
  return result;
}
