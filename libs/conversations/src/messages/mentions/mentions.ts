import type { Queryable } from '@tieline/platform/database';
import { mentionsIn } from '@tieline/markup';
import { mentionableText } from './mentionable-text.js';
import type { MemberDirectory } from '../../members/member-directory.js';

const LOOKS_LIKE_TOKEN = /<@[0-9a-f-]{36}>/i;

/**
 * Returns the distinct ids of the `<@uuid>` tokens in a Markdown text, in lower case, ordered by
 * first mention. Tokens in code, block quotes, links and addresses do not count
 * (docs/notifications.md#mentions).
 */
export function mentionTokens(text: string): string[] {
  // Parsing a short text takes about 30 µs, a malicious one of 4000 characters up to 40 ms. Most
  // texts contain no token.
  if (!LOOKS_LIKE_TOKEN.test(text)) return [];
  const ids = mentioned(text).filter((of) => of !== 'here' && of !== 'channel');
  return [...new Set(ids)];
}

/**
 * Returns whether the text contains the word `@channel`, which mentions every member of the
 * conversation.
 */
export function mentionsChannel(text: string): boolean {
  return text.includes('@channel') && mentioned(text).includes('channel');
}

/**
 * Returns whether the text contains the word `@here`, which mentions members who are online and not
 * viewing the conversation.
 */
export function mentionsHere(text: string): boolean {
  return text.includes('@here') && mentioned(text).includes('here');
}

const mentioned = (text: string): string[] => mentionsIn(mentionableText(text)).map(({ of }) => of);

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
