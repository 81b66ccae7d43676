import type { Queryable } from '@tieline/platform/database';
import { mentionableText } from './mentionable-text.js';
import type { MemberDirectory } from '../../members/member-directory.js';

// A word character is what a word is made of in any script: letters, combining marks, digits and
// "_".
const WORD = String.raw`[\p{L}\p{M}\p{N}_]`;
/** What goes on as a path, a package, an address or a compound word is no mention. */
const GOES_ON = String.raw`[/@-]|\.\p{L}`;
const TOKEN = new RegExp(
  String.raw`(?<!\\)<@([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})>(?!${GOES_ON})`,
  'giu',
);
const LOOKS_LIKE_TOKEN = /<@[0-9a-f-]{36}>/i;
/**
 * Not at the end of a word or a path: `linkify` does not find the address in `example.com/@here`.
 */
const wordPattern = (word: string): RegExp =>
  new RegExp(String.raw`(?<!${WORD}|\\|${WORD}/)@${word}(?!${WORD}|${GOES_ON})`, 'u');
const CHANNEL_WORD = wordPattern('channel');
const HERE_WORD = wordPattern('here');

/**
 * Returns the distinct ids of the `<@uuid>` tokens in a Markdown text, in lower case and in the
 * order of their first mention. Tokens in code, block quotes, links and addresses do not count
 * (docs/notifications.md#mentions).
 */
export function mentionTokens(text: string): string[] {
  // Parsing a short text takes some 30 µs, a hostile one of 4000 characters up to 40 ms, and nearly
  // every text has no token.
  if (!LOOKS_LIKE_TOKEN.test(text)) return [];
  return [
    ...new Set([...mentionableText(text).matchAll(TOKEN)].map((match) => (match[1] as string).toLowerCase())),
  ];
}

/**
 * Whether `@channel` stands in the text as a word: it then concerns every member of the
 * conversation.
 */
export function mentionsChannel(text: string): boolean {
  return text.includes('@channel') && CHANNEL_WORD.test(mentionableText(text));
}

/**
 * Whether `@here` stands in the text as a word: it then concerns who is online but looks elsewhere.
 */
export function mentionsHere(text: string): boolean {
  return text.includes('@here') && HERE_WORD.test(mentionableText(text));
}

/** The mentioned people and bots: those of the text's tokens that are of the space, in order. */
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
