import type { Queryable } from '@tieline/platform/database';
import { mentionableText } from './mentionable-text.js';
import type { MemberDirectory } from '../../members/member-directory.js';

// Characters that make up words in any script: letters, combining marks, digits and "_".
const WORD = String.raw`[\p{L}\p{M}\p{N}_]`;
/** A mention followed by this is part of a path, package name, address or compound word. */
const GOES_ON = String.raw`[/@-]|\.\p{L}`;
const TOKEN = new RegExp(
  String.raw`(?<!\\)<@([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})>(?!${GOES_ON})`,
  'giu',
);
const LOOKS_LIKE_TOKEN = /<@[0-9a-f-]{36}>/i;
/**
 * Matches the word unless it ends a word or path, because `linkify` does not detect the address in
 * `example.com/@here`.
 */
const wordPattern = (word: string): RegExp =>
  new RegExp(String.raw`(?<!${WORD}|\\|${WORD}/)@${word}(?!${WORD}|${GOES_ON})`, 'u');
const CHANNEL_WORD = wordPattern('channel');
const HERE_WORD = wordPattern('here');

/**
 * Returns the distinct ids of the `<@uuid>` tokens in a Markdown text, in lower case, ordered by
 * first mention. Tokens in code, block quotes, links and addresses do not count
 * (docs/notifications.md#mentions).
 */
export function mentionTokens(text: string): string[] {
  // Parsing a short text takes about 30 µs, a malicious one of 4000 characters up to 40 ms. Most
  // texts contain no token.
  if (!LOOKS_LIKE_TOKEN.test(text)) return [];
  return [
    ...new Set([...mentionableText(text).matchAll(TOKEN)].map((match) => (match[1] as string).toLowerCase())),
  ];
}

/**
 * Returns whether the text contains the word `@channel`, which mentions every member of the
 * conversation.
 */
export function mentionsChannel(text: string): boolean {
  return text.includes('@channel') && CHANNEL_WORD.test(mentionableText(text));
}

/**
 * Returns whether the text contains the word `@here`, which mentions members who are online and not
 * viewing the conversation.
 */
export function mentionsHere(text: string): boolean {
  return text.includes('@here') && HERE_WORD.test(mentionableText(text));
}

/** Returns the mentioned people and bots of the space, in order. */
export async function findMentions(
  q: Queryable,
  members: MemberDirectory,
  spaceId: string,
  text: string,
): Promise<string[]> {
  const ids = mentionTokens(text);
  if (ids.length === 0) return [];
  const known = await members.find(q, spaceId, ids);
  return ids.filter((id) => known.has(id));
}
