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

/** Where a file's bytes are in the store. */
export function storageKey({ spaceId, id }: { spaceId: string; id: string }): string {
  return `${spaceId}/${id}`;
}

/** A file of the bot or person that was made for that very conversation; for whichever where none is named. */
export async function findOwnFile(
  db: Db,
  owner: Uploader,
  id: string,
  conversationId?: string,
): Promise<StoredFile | undefined> {
  const where = {
    ...{ spaceId: owner.spaceId, id },
    ...('botId' in owner ? { botId: owner.botId } : { userId: owner.userId }),
    ...(conversationId !== undefined && { conversationId }),
  };
  return (await db.manager.findOneBy(StoredFile, where)) ?? undefined;
}

/** A file of the space that is shown with a message. */
export async function findAttachedFile(db: Db, spaceId: string, id: string): Promise<StoredFile | undefined> {
  return (await db.manager.findOneBy(StoredFile, { spaceId, id, messageId: Not(IsNull()) })) ?? undefined;
}

/** Which of these files the bot could attach to something now. */
export function findAttachable(
  db: Db,
  { spaceId, botId }: FileOwner,
  fileIds: readonly string[],
): Promise<StoredFile[]> {
  return db.manager.findBy(StoredFile, {
    spaceId,
    botId,
    id: In(fileIds),
    status: 'ready',
    messageId: IsNull(),
  });
}
