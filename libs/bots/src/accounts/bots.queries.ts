import { IsNull } from 'typeorm';
import type { Db, Tx } from '@tieline/platform/database';
import { invalidToken } from '@tieline/platform/http';
import type { BotPrincipal, Page, PageQuery } from '@tieline/platform/http';
import { findResource, listResources, lockResource } from '@tieline/spaces';
import { Bot } from './bot.entity.js';
import { CHANNELS_OF_BOT } from './bots.statements.js';
import type { EventDeliveryMode } from './bot-settings.js';
import { botNotFound } from '../bots.errors.js';

/** A bot of the space that is not deleted. @throws 404 otherwise */
export function findBot(db: Db, spaceId: string, botId: string): Promise<Bot> {
  return findResource(db, Bot, { spaceId, id: botId }, botNotFound);
}

/** The same, with its row locked until the transaction ends. */
export function lockBot(tx: Tx, spaceId: string, botId: string): Promise<Bot> {
  return lockResource(tx, Bot, { spaceId, id: botId }, botNotFound);
}

/** @throws 404 unless the space has this bot, and it is not deleted */
export async function requireBot(db: Db, spaceId: string, botId: string): Promise<void> {
  await findBot(db, spaceId, botId);
}

/** The bots of the space that are not deleted, newest first. @throws 400 for a bad cursor */
export function listBots(db: Db, spaceId: string, page: PageQuery): Promise<Page<Bot>> {
  return listResources(db, Bot, spaceId, page);
}

/** The newest `most` bots of the space that are active and get their events at an address. */
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
 * How a bot gets its events; undefined when it is unknown or deleted. It stays so until the
 * transaction ends.
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
 * Keeps the calling bot from being disabled or deleted until the transaction ends: a bot that is
 * being deleted must not get new memberships. @throws 401 when it is disabled or deleted already
 */
export async function holdActiveBot(tx: Tx, { spaceId, botId }: BotPrincipal): Promise<void> {
  const bot = await tx.manager.findOne(Bot, {
    where: { spaceId, id: botId, isActive: true, deletedAt: IsNull() },
    lock: { mode: 'pessimistic_read' },
  });
  if (!bot) throw invalidToken();
}

/**
 * Channels and voice chats that the bot is a member of, in the order in which several of them are
 * to be locked.
 */
export async function channelsOfBot(tx: Tx, spaceId: string, botId: string): Promise<string[]> {
  return (await tx.query(CHANNELS_OF_BOT, [spaceId, botId])).map(({ id }) => id);
}
