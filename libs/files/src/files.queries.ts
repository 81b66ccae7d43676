import type { Db } from '@tieline/platform/database';
import { In, IsNull, Not } from 'typeorm';
import { StoredFile } from './file.entity.js';

/** The bot that owns a file. A `BotPrincipal` is one. */
export interface FileOwner {
  spaceId: string;
  botId: string;
}

/** The bot or person that uploaded a file. A principal of either is one. */
export type Uploader = FileOwner | { spaceId: string; userId: string };

/** Returns the id of the uploader. */
export const idOf = (owner: Uploader): string => ('botId' in owner ? owner.botId : owner.userId);

/** Returns the conditions that select the uploader's files. */
const owned = (owner: Uploader): { botId: string } | { userId: string } =>
  'botId' in owner ? { botId: owner.botId } : { userId: owner.userId };

/** Returns the key of a file's bytes in storage. */
export function storageKey({ spaceId, id }: { spaceId: string; id: string }): string {
  return `${spaceId}/${id}`;
}

/**
 * Returns a file of the bot or person that was made for the given conversation; for any
 * conversation if none is given.
 */
export async function findOwnFile(
  db: Db,
  owner: Uploader,
  id: string,
  conversationId?: string,
): Promise<StoredFile | undefined> {
  const where = {
    ...{ spaceId: owner.spaceId, id },
    ...owned(owner),
    ...(conversationId !== undefined && { conversationId }),
  };
  return (await db.manager.findOneBy(StoredFile, where)) ?? undefined;
}

/** Returns a file of the space that is attached to a message. */
export async function findAttachedFile(db: Db, spaceId: string, id: string): Promise<StoredFile | undefined> {
  return (await db.manager.findOneBy(StoredFile, { spaceId, id, messageId: Not(IsNull()) })) ?? undefined;
}

/**
 * Returns a person's file that is attached to a message in the given conversation or its threads.
 */
export async function findAttachedFileOfPerson(
  db: Db,
  spaceId: string,
  id: string,
  conversationId: string,
): Promise<StoredFile | undefined> {
  const where = { spaceId, id, conversationId, userId: Not(IsNull()), messageId: Not(IsNull()) };
  return (await db.manager.findOneBy(StoredFile, where)) ?? undefined;
}

/** Returns those of the given files that their owner could attach now. */
export function findAttachable(db: Db, owner: Uploader, fileIds: readonly string[]): Promise<StoredFile[]> {
  return db.manager.findBy(StoredFile, {
    spaceId: owner.spaceId,
    ...owned(owner),
    id: In(fileIds),
    status: 'ready',
    messageId: IsNull(),
  });
}
