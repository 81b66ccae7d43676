import type { noticeWords } from './words.js';

type Words = (typeof noticeWords)['en'];

/**
 * Returns the text of a notice in the user's language. The server's sentence contains the name of
 * the subject in quotes. It is used for unknown kinds.
 */
export function noticeText({ kind, text }: { kind: string; text: string }, words: Words): string {
  const name = /"(.*)"/s.exec(text)?.[1];
  const said = Object.hasOwn(words, kind) ? words[kind as keyof Words] : undefined;
  return said && name !== undefined ? said(name) : text;
}
