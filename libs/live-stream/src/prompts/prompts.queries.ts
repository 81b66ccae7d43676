import { chatAccess } from '@tieline/conversations';
import type { BotDirectory } from '@tieline/conversations';
import type { Db } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { storedPlace } from '../places/bot-place.js';
import type { BotPlace } from '../places/bot-place.js';
import type { BotPrompts } from './bot-prompts.js';
import { LIST_PROMPTS, LIST_PROMPTS_TO } from './prompts.statements.js';

/** A stream that opens receives at most this many, the latest ones: docs/agents.md#prompts. */
export const MAX_AT_OPENING = 50;

/**
 * Returns the prompts of bots in a conversation or thread, latest first.
 * @throws 404 unknown; 403 not readable; 400 no such message for a thread
 */
export async function listPrompts(
  db: Db,
  bots: BotDirectory,
  person: UserPrincipal,
  { conversationId, threadId }: BotPlace,
): Promise<BotPrompts[]> {
  const { conversation } = await chatAccess.requireReadable(db, person, conversationId);
  const { placeId } = await storedPlace(db, conversation, threadId);
  const rows = await db.query(LIST_PROMPTS, [person.spaceId, placeId]);
  return ofActiveBots(db, bots, person.spaceId, rows);
}

/** Returns the latest prompts in the conversations of a person. */
export async function listPromptsTo(
  db: Db,
  bots: BotDirectory,
  { spaceId, userId }: UserPrincipal,
): Promise<BotPrompts[]> {
  const rows = await db.query(LIST_PROMPTS_TO, [spaceId, userId, MAX_AT_OPENING]);
  return ofActiveBots(db, bots, spaceId, rows);
}

async function ofActiveBots(
  db: Db,
  bots: BotDirectory,
  spaceId: string,
  rows: BotPrompts[],
): Promise<BotPrompts[]> {
  if (rows.length === 0) return rows;
  const ids = new Set(rows.map(({ botId }) => botId));
  const active = new Set(await bots.findActive(db, spaceId, [...ids]));
  return rows.filter(({ botId }) => active.has(botId));
}
