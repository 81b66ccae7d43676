import type { Db } from '@tieline/platform/database';
import { In, IsNull, Not } from 'typeorm';
import { StoredFile } from './file.entity.js';

/** Which bot's files are meant. A `BotPrincipal` is one. */
export interface FileOwner {
  spaceId: string;
  botId: string;
}

/** Whose upload it is: a bot's or a person's. A principal of either is one. */
export type Uploader = FileOwner | { spaceId: string; userId: string };

/** The id of whoever uploaded it. */
export const idOf = (owner: Uploader): string => ('botId' in owner ? owner.botId : owner.userId);

/** What is asked of the entity for files of theirs. */
const owned = (owner: Uploader): { botId: string } | { userId: string } =>
  'botId' in owner ? { botId: owner.botId } : { userId: owner.userId };

/** Where a file's bytes are in the store. */
export function storageKey({ spaceId, id }: { spaceId: string; id: string }): string {
  return `${spaceId}/${id}`;
}

/**
 * A file of the bot or person that was made for that very conversation; for whichever where none is
 * named.
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

/** A file of the space that is shown with a message. */
export async function findAttachedFile(db: Db, spaceId: string, id: string): Promise<StoredFile | undefined> {
  return (await db.manager.findOneBy(StoredFile, { spaceId, id, messageId: Not(IsNull()) })) ?? undefined;
}

/** A person's file that a message in that conversation, or in its threads, shows. */
export async function findAttachedFileOfPerson(
  db: Db,
  spaceId: string,
  id: string,
  conversationId: string,
): Promise<StoredFile | undefined> {
  const where = { spaceId, id, conversationId, userId: Not(IsNull()), messageId: Not(IsNull()) };
  return (await db.manager.findOneBy(StoredFile, where)) ?? undefined;
}

/** Which of these files their owner could attach to something now. */
export function findAttachable(db: Db, owner: Uploader, fileIds: readonly string[]): Promise<StoredFile[]> {
  return db.manager.findBy(StoredFile, {
    spaceId: owner.spaceId,
    ...owned(owner),
    id: In(fileIds),
    status: 'ready',
    messageId: IsNull(),
  });
}
