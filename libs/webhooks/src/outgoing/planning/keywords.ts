import { foldCase } from './fold-case.js';

// Decisions, section 4: word characters are Unicode letters, marks, digits and the underscore.
const WORD = String.raw`[\p{L}\p{M}\p{Nd}_]`;
const SPACE = /^\s/u;
const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;

/** Tells whether a text contains any of the keywords. */
export type KeywordMatcher = (text: string) => boolean;

/**
 * Compiles keywords into one pass over the text: whole tokens, case-insensitive by {@link
 * foldCase}; the words of a phrase may be separated by any white space. Composed and decomposed
 * spellings of a letter are the same.
 *
 * Beginnings that keywords share are looked at once, so a text costs no more for twenty keywords
 * that all but match it than for one.
 *
 * @param keywords at least one, without white space at the ends
 */
export function keywordMatcher(keywords: readonly string[]): KeywordMatcher {
  const root = new Beginning();
  for (const keyword of keywords) root.add(foldCase(keyword));
  const pattern = new RegExp(`(?<!${WORD})${root.pattern()}(?!${WORD})`, 'u');
  return (text) => pattern.test(foldCase(text));
}

/** The beginning of one or more keywords, and what may follow it. */
class Beginning {
  private readonly next = new Map<string, { pattern: string; then: Beginning }>();
  private isKeyword = false;

  add(keyword: string): void {
    const parts = keyword.match(/\s+|\S/gu) ?? [];
    parts.reduce<Beginning>((beginning, part) => beginning.after(part), this).isKeyword = true;
  }

  pattern(): string {
    const ways = [...this.next.values()].map(({ pattern, then }) => pattern + then.pattern());
    if (this.isKeyword) ways.push('');
    return ways.length === 1 ? String(ways[0]) : `(?:${ways.join('|')})`;
  }

  private after(part: string): Beginning {
    const isSpace = SPACE.test(part);
    const key = isSpace ? ' ' : part;
    const known = this.next.get(key);
    if (known) return known.then;
    const then = new Beginning();
    this.next.set(key, { pattern: isSpace ? String.raw`\s+` : part.replace(SYNTAX, String.raw`\$&`), then });
    return then;
  }
}
