import { foldCase } from './fold-case.js';

// Word characters: Unicode letters, marks, digits and the underscore.
const WORD = String.raw`[\p{L}\p{M}\p{Nd}_]`;
const SPACE = /^\s/u;
const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;

/** Returns whether a text contains any of the keywords. */
export type KeywordMatcher = (text: string) => boolean;

/**
 * Compiles keywords into one pass over the text. Matches whole words, ignoring case (see {@link
 * foldCase}) and Unicode composition. Words of a phrase may be separated by any white space.
 * Keywords with a common prefix share it, so twenty almost-matching keywords cost no more than one.
 * @param keywords at least one, trimmed
 */
export function keywordMatcher(keywords: readonly string[]): KeywordMatcher {
  const root = new TrieNode();
  for (const keyword of keywords) root.add(foldCase(keyword));
  const pattern = new RegExp(`(?<!${WORD})${root.pattern()}(?!${WORD})`, 'u');
  return (text) => pattern.test(foldCase(text));
}

/** Node of a prefix tree of keywords. */
class TrieNode {
  private readonly next = new Map<string, { pattern: string; then: TrieNode }>();
  private isKeyword = false;

  add(keyword: string): void {
    const parts = keyword.match(/\s+|\S/gu) ?? [];
    parts.reduce<TrieNode>((node, part) => node.child(part), this).isKeyword = true;
  }

  pattern(): string {
    const ways = [...this.next.values()].map(({ pattern, then }) => pattern + then.pattern());
    if (this.isKeyword) ways.push('');
    return ways.length === 1 ? String(ways[0]) : `(?:${ways.join('|')})`;
  }

  private child(part: string): TrieNode {
    const isSpace = SPACE.test(part);
    const key = isSpace ? ' ' : part;
    const known = this.next.get(key);
    if (known) return known.then;
    const then = new TrieNode();
    this.next.set(key, { pattern: isSpace ? String.raw`\s+` : part.replace(SYNTAX, String.raw`\$&`), then });
    return then;
  }
}
