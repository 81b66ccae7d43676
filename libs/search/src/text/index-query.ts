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
  const { conversationId, authorId, rootId, has } = filters;
  const parts = [
    ...(conversationId === undefined ? [] : [key(mark.conversation(conversationId))]),
    ...(authorId === undefined ? [] : [key(mark.author(authorId))]),
    ...(rootId === undefined ? [] : [key(mark.thread(rootId))]),
    ...(has === undefined ? [] : [key(mark.has(has))]),
    ...terms.filter((term) => !term.isExcluded).map(phraseOf),
  ];
  // Every message has a conversation, so this finds all.
  if (parts.length === 0) parts.push(`${key(':c')}:*`);
  return [...parts, ...terms.filter((term) => term.isExcluded).map((term) => `!${phraseOf(term)}`)].join(
    ' & ',
  );
}

function phraseOf({ words, isPrefix }: SearchTerm): string {
  const keys = words.map((word, n) => (isPrefix && n === words.length - 1 ? `${key(word)}:*` : key(word)));
  return `(${keys.join(' <-> ')})`;
}

const key = (text: string): string => `'${BUCKET}${text}'`;
