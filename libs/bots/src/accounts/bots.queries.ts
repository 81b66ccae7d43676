import { IsNull, LessThan } from 'typeorm';
import type { Db, Tx } from '@tieline/platform/database';
import { invalidToken, isUuid, pageOf } from '@tieline/platform/http';
import type { BotPrincipal, PageQuery } from '@tieline/platform/http';
import { Bot } from './bot.entity.js';
import { CHANNELS_OF_BOT } from './bots.statements.js';
import type { EventDeliveryMode } from './bot-settings.js';
import { botNotFound, invalidCursor } from '../bots.errors.js';

/** A bot of the space that is not deleted. @throws 404 otherwise */
export async function findBot(db: Db, spaceId: string, botId: string): Promise<Bot> {
  const bot = await db.manager.findOneBy(Bot, { spaceId, id: botId, deletedAt: IsNull() });
  if (!bot) throw botNotFound();
  return bot;
}

/** The bots of the space that are not deleted, newest first; the cursor is the last id shown. @throws 400 for a bad cursor */
export async function listBots(
  db: Db,
  spaceId: string,
  { limit, cursor }: PageQuery,
): Promise<{ rows: Bot[]; nextCursor: string }> {
  const before = idCursor(cursor);
  const rows = await db.manager.find(Bot, {
    where: { spaceId, deletedAt: IsNull(), ...(before === '' ? {} : { id: LessThan(before) }) },
    order: { id: 'DESC' },
    take: limit + 1,
  });
  return pageOf(rows, limit, ({ id }) => id);
}

/** The id in a cursor, in lower case; "" for the first page. @throws 400 for anything else */
export function idCursor(cursor: string): string {
  if (cursor !== '' && !isUuid(cursor)) throw invalidCursor();
  return cursor.toLowerCase();
}

/** A bot of the space that is not deleted, its row locked until the end of the transaction. @throws 404 otherwise */
export async function lockBot(tx: Tx, spaceId: string, botId: string): Promise<Bot> {
  const bot = await tx.manager.findOne(Bot, {
    where: { spaceId, id: botId, deletedAt: IsNull() },
    lock: { mode: 'for_no_key_update' },
  });
  if (!bot) throw botNotFound();
  return bot;
}

/** How a bot gets its events; undefined when it is unknown or deleted. It stays so until the transaction ends. */
export async function deliveryModeOf(
  tx: Tx,
  spaceId: string,
  botId: string,
): Promise<EventDeliveryMode | undefined> {
  const bot = await tx.manager.findOne(Bot, {
    where: { spaceId, id: botId, deletedAt: IsNull() },
    lock: { mode: 'pessimistic_read' },
  });
  return bot?.eventDeliveryMode;
}

/**
 * Keeps the calling bot from being disabled or deleted until the transaction ends: a bot that is being deleted must not get
 * new memberships. @throws 401 when it is disabled or deleted already
 */
export async function holdActiveBot(tx: Tx, { spaceId, botId }: BotPrincipal): Promise<void> {
  const bot = await tx.manager.findOne(Bot, {
    where: { spaceId, id: botId, isActive: true, deletedAt: IsNull() },
    lock: { mode: 'pessimistic_read' },
  });
  if (!bot) throw invalidToken();
}

/** Channels and voice chats that the bot is a member of, in the order in which several of them are to be locked. */
export async function channelsOfBot(tx: Tx, spaceId: string, botId: string): Promise<string[]> {
  return (await tx.query(CHANNELS_OF_BOT, [spaceId, botId])).map(({ id }) => id);
}
