import type { noticeWords } from './words.js';

type Words = (typeof noticeWords)['en'];

/**
 * What a notice says, in the reader's language. The server writes one sentence for programs and
 * channels, with the name of what it is about in quotes; of a kind that is not known here, that
 * sentence stands.
 */
export function noticeText({ kind, text }: { kind: string; text: string }, words: Words): string {
  const name = /"(.*)"/s.exec(text)?.[1];
  const said = Object.hasOwn(words, kind) ? words[kind as keyof Words] : undefined;
  return said && name !== undefined ? said(name) : text;
}
