import type { Tx } from '@tieline/platform/database';
import { WRITE_DM_INBOX } from './dm-inbox.statements.js';

/** A message of a direct conversation, or of a thread in one, by someone other than the bot. */
export interface NewDmInboxEntry {
  spaceId: string;
  botId: string;
  /** The thread, for a message in one. */
  conversationId: string;
  messageId: string;
  eventId: string;
}

/**
 * Adds messages to the inboxes of bots for their DM streams, regardless of the bot's delivery mode
 * and event types. Pass the entries in event order. One statement.
 *
 * Call it only inside the relay's planning transaction: two concurrent writers could commit
 * positions in a different order than they took them. After the commit, call `announceDms` with the
 * same entries.
 */
export async function writeDmInbox(tx: Tx, entries: readonly NewDmInboxEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await tx.query(WRITE_DM_INBOX, {
    spaceIds: entries.map((e) => e.spaceId),
    botIds: entries.map((e) => e.botId),
    conversationIds: entries.map((e) => e.conversationId),
    messageIds: entries.map((e) => e.messageId),
    eventIds: entries.map((e) => e.eventId),
  });
}
