import type { RowOf, Tx } from '@tieline/platform/database';
import { indexDocument } from '../text/index-document.js';
import { ADD_WORDS } from './bucket-words.statements.js';
import { INDEX_MESSAGES } from './search-index.statements.js';
import type { READ_CHANGED } from './search-index.statements.js';

/** A message to index. */
export type IndexedMessage = RowOf<typeof READ_CHANGED>;

/**
 * Indexes messages in one statement. Each message may occur once. Call it after `LOCK_INDEX`.
 * @returns spaces that got their next bucket, so that the one before can be listed
 */
export async function indexMessages(tx: Tx, messages: readonly IndexedMessage[]): Promise<string[]> {
  if (messages.length === 0) return [];
  const rows = await tx.query(INDEX_MESSAGES, {
    spaceIds: messages.map((m) => m.spaceId),
    messageIds: messages.map((m) => m.messageId),
    conversationIds: messages.map((m) => m.conversationId),
    channelIds: messages.map((m) => m.channelId),
    scopes: messages.map((m) => m.scope),
    authorIds: messages.map((m) => m.authorId),
    rootIds: messages.map((m) => m.rootId),
    sentAts: messages.map((m) => m.sentAt),
    versions: messages.map((m) => m.version),
    documents: messages.map((m) => indexDocument(m.text, { ...m, isPublic: m.scope === 'public' })),
  });
  const late = rows.filter((row) => row.messageId !== null);
  if (late.length > 0)
    await tx.query(ADD_WORDS, [late.map((row) => row.spaceId), late.map((row) => row.messageId)]);
  return rows.filter((row) => row.messageId === null).map((row) => row.spaceId);
}
