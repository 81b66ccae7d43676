import type { RowOf, Tx } from '@tieline/platform/database';
import { indexDocument } from '../text/index-document.js';
import { INDEX_MESSAGES } from './search-index.statements.js';
import type { READ_CHANGED } from './search-index.statements.js';

/** A message to index. */
export type IndexedMessage = RowOf<typeof READ_CHANGED>;

/** Indexes messages in one statement. Each message may occur once. */
export async function indexMessages(tx: Tx, messages: readonly IndexedMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await tx.query(INDEX_MESSAGES, {
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
}
