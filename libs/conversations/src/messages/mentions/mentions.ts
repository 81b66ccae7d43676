import type { Queryable } from '@tieline/platform/database';
import type { MemberDirectory } from '../../members/member-directory.js';

const TOKEN = /<@([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})>/gi;
// A word character is what a word is made of in any script: letters, combining marks, digits and "_".
const WORD = String.raw`[\p{L}\p{M}\p{N}_]`;
const CHANNEL_WORD = new RegExp(`(?<!${WORD})@channel(?!${WORD})`, 'u');
const HERE_WORD = new RegExp(`(?<!${WORD})@here(?!${WORD})`, 'u');

/** The distinct ids of the `<@uuid>` tokens in a text, in lower case and in the order of their first mention. */
export function mentionTokens(text: string): string[] {
  // Nearly every text has no token: this look is much cheaper than the expression.
  if (!text.includes('<@')) return [];
  return [...new Set([...text.matchAll(TOKEN)].map((match) => (match[1] as string).toLowerCase()))];
}

/** Whether `@channel` stands in the text as a word: it then concerns every member of the conversation. */
export function mentionsChannel(text: string): boolean {
  return text.includes('@channel') && CHANNEL_WORD.test(text);
}

/** Whether `@here` stands in the text as a word: it then concerns who is online but looks elsewhere. */
export function mentionsHere(text: string): boolean {
  return text.includes('@here') && HERE_WORD.test(text);
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
