import { IsNull } from 'typeorm';
import type { Db, Queryable, Tx } from '@tieline/platform/database';
import { invalidToken } from '@tieline/platform/http';
import type { BotPrincipal, Page, PageQuery } from '@tieline/platform/http';
import { findResource, listResources, lockResource } from '@tieline/spaces';
import { Bot } from './bot.entity.js';
import { hashToken } from '@tieline/signing';
import { FIND_REFUSED_TOKEN, LIST_CHANNELS_OF_BOT } from './bots.statements.js';
import type { RefusedTokenReason } from './bots.statements.js';
import type { EventDeliveryMode } from './bot.js';
import { botNotFound } from '../bots.errors.js';

/**
 * Returns a bot of the space that is not deleted.
 * @throws 404 otherwise
 */
export function findBot(db: Pick<Db, 'manager'>, spaceId: string, botId: string): Promise<Bot> {
  return findResource(db, Bot, { spaceId, id: botId }, botNotFound);
}

/** Like {@link findBot}, and locks the row until the transaction ends. */
export function lockBot(tx: Tx, spaceId: string, botId: string): Promise<Bot> {
  return lockResource(tx, Bot, { spaceId, id: botId }, botNotFound);
}

/** @throws 404 unless the space has this bot and it is not deleted */
export async function requireBot(db: Db, spaceId: string, botId: string): Promise<void> {
  await findBot(db, spaceId, botId);
}

/**
 * Lists the bots of the space that are not deleted, newest first.
 * @throws 400 for a bad cursor
 */
export function listBots(db: Db, spaceId: string, page: PageQuery): Promise<Page<Bot>> {
  return listResources(db, Bot, spaceId, page);
}

/** Returns the ids of the newest `most` active bots of the space that are in mode `webhook`. */
export async function activePushBots(db: Db, spaceId: string, most: number): Promise<string[]> {
  const found = await db.manager.find(Bot, {
    select: { id: true },
    where: { spaceId, isActive: true, deletedAt: IsNull(), eventDeliveryMode: 'webhook' },
    order: { id: 'DESC' },
    take: most,
  });
  return found.map(({ id }) => id);
}

/**
 * Returns a bot's delivery mode, or undefined if it is unknown or deleted. Holds a shared row lock,
 * so that the mode cannot change until the transaction ends.
 */
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
 * Locks the calling bot so that it cannot be disabled or deleted until the transaction ends. A bot
 * that is being deleted must not gain memberships.
 * @throws 401 if it is already disabled or deleted
 */
export async function lockActiveBot(tx: Tx, { spaceId, botId }: BotPrincipal): Promise<void> {
  const bot = await tx.manager.findOne(Bot, {
    where: { spaceId, id: botId, isActive: true, deletedAt: IsNull() },
    lock: { mode: 'pessimistic_read' },
  });
  if (!bot) throw invalidToken();
}

/**
 * Returns the channels and voice chats that the bot is a member of, in the order in which to lock
 * them.
 */
export async function channelsOfBot(tx: Tx, spaceId: string, botId: string): Promise<string[]> {
  return (await tx.query(LIST_CHANNELS_OF_BOT, [spaceId, botId])).map(({ id }) => id);
}

/** Returns why a token that no active bot has is refused. */
export async function refusedBotToken(q: Queryable, token: string): Promise<RefusedTokenReason> {
  const [row] = await q.query(FIND_REFUSED_TOKEN, [hashToken(token)]);
  return row?.reason ?? 'unknown';
}
