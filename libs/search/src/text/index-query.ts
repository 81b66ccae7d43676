import { BUCKET, mark } from './index-document.js';
import type { SearchedPart } from './index-document.js';
import type { SearchTerm } from './search-terms.js';

/** What a message must have, besides matching the terms. */
export interface SearchFilters {
  /** A conversation; for a channel with its threads. */
  conversationId?: string;
  authorId?: string;
  /** Root message of a thread. */
  rootId?: string;
  has?: SearchedPart;
}

/** Returns the text form of the `tsquery` that finds messages. */
export function indexQuery(terms: readonly SearchTerm[], filters: SearchFilters): string {
  const parts = [...marksOf(filters), ...terms.filter((term) => !term.isExcluded).map(phraseOf)];
  // Every message has a conversation, so this finds all.
  if (parts.length === 0) parts.push(`${key(':c')}:*`);
  return [...parts, ...terms.filter((term) => term.isExcluded).map((term) => `!${phraseOf(term)}`)].join(
    ' & ',
  );
}

/** Each further key costs a lookup, and leaves out few buckets. */
const MAX_BUCKET_KEYS = 4;

/**
 * Returns what must all occur in a bucket that has a match, as texts of `tsquery`: the longest,
 * which are likely to be the rarest. None if every bucket may have a match.
 */
export function bucketQueries(terms: readonly SearchTerm[], filters: SearchFilters): string[] {
  const required = terms.filter((term) => !term.isExcluded);
  return [...new Set([...marksOf(filters), ...required.flatMap(keysOf)])]
    .sort((a, b) => b.length - a.length)
    .slice(0, MAX_BUCKET_KEYS);
}

function marksOf({ conversationId, authorId, rootId, has }: SearchFilters): string[] {
  return [
    ...(conversationId === undefined ? [] : [key(mark.conversation(conversationId))]),
    ...(authorId === undefined ? [] : [key(mark.author(authorId))]),
    ...(rootId === undefined ? [] : [key(mark.thread(rootId))]),
    ...(has === undefined ? [] : [key(mark.has(has))]),
  ];
}

const phraseOf = (term: SearchTerm): string => `(${keysOf(term).join(' <-> ')})`;

function keysOf({ words, isPrefix }: SearchTerm): string[] {
  return words.map((word, n) => (isPrefix && n === words.length - 1 ? `${key(word)}:*` : key(word)));
}

const key = (text: string): string => `'${BUCKET}${text}'`;
