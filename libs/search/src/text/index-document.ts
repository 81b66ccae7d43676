import { wordsOf } from './words.js';

/**
 * Stands for the bucket of a message (docs/search.md#the-index) in documents and queries. It occurs
 * in no word. Every key of the index begins with the bucket, so a query reads one bucket only.
 */
export const BUCKET = '#';

/** What of a message can be found besides its words. */
export interface MessageMarks {
  conversationId: string;
  /** Its channel, for a message in a thread. */
  channelId: string;
  isPublic: boolean;
  authorId: string;
  /** Root message of the thread that it is in. */
  rootId: string | null;
  hasFile: boolean;
  hasReaction: boolean;
  isPinned: boolean;
}

/** Keys of the index that are no words. A word never begins with a colon. */
export const mark = {
  public: ':p',
  conversation: (id: string) => `:c${tailOf(id)}`,
  author: (id: string) => `:a${tailOf(id)}`,
  thread: (rootId: string) => `:t${tailOf(rootId)}`,
  has: (what: SearchedPart) => `:h${what}`,
};

/** Kinds of content that `has` looks for. */
export const SEARCHED_PARTS = ['file', 'link', 'reaction', 'pin'] as const;
export type SearchedPart = (typeof SEARCHED_PARTS)[number];

const LINK = /https?:\/\/\S/i;
/** Enough for the longest message; keeps a document within the limits of PostgreSQL. */
const MAX_WORDS = 10_000;

/** Returns the text form of a message's `tsvector`. */
export function indexDocument(text: string, marks: MessageMarks): string {
  const positions = new Map<string, number[]>();
  for (const word of wordsOf(text).slice(0, MAX_WORDS)) {
    const known = positions.get(word.text);
    if (known) known.push(word.position);
    else positions.set(word.text, [word.position]);
  }
  const words = Array.from(positions, ([word, at]) => `'${BUCKET}${word}':${at.join(',')}`);
  return [...words, ...marksOf(text, marks).map((one) => `'${BUCKET}${one}'`)].join(' ');
}

function marksOf(text: string, marks: MessageMarks): string[] {
  const { conversationId, channelId, isPublic, authorId, rootId } = marks;
  return [
    mark.conversation(channelId),
    ...(conversationId === channelId ? [] : [mark.conversation(conversationId)]),
    ...(isPublic ? [mark.public] : []),
    mark.author(authorId),
    ...(rootId === null ? [] : [mark.thread(rootId)]),
    ...(marks.hasFile ? [mark.has('file')] : []),
    ...(LINK.test(text) ? [mark.has('link')] : []),
    ...(marks.hasReaction ? [mark.has('reaction')] : []),
    ...(marks.isPinned ? [mark.has('pin')] : []),
  ];
}

/** The random end of an id. The row of a match is compared with the whole id. */
const tailOf = (id: string): string => id.slice(-12);
