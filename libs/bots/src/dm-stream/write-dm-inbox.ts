import type { Tx } from '@tieline/platform/database';
import { WRITE_DM_INBOX } from './dm-inbox.statements.js';

/**
 * A message of a direct conversation, or of a thread in one, that somebody other than the bot has
 * sent.
 */
export interface NewDmInboxEntry {
  spaceId: string;
  botId: string;
  /** The thread, for a message in one. */
  conversationId: string;
  messageId: string;
  eventId: string;
}

/**
 * Puts messages into the inboxes of bots, for their DM streams: of every bot, whatever its delivery
 * mode and event types (contract, `GET /bot/stream`). Give the entries in the order of their
 * events. One statement.
 *
 * Only inside the relay's planning transaction: two writers at a time could commit positions in
 * another order than they took them. After the commit call `announceDms` with the same entries.
 */
export async function writeDmInbox(tx: Tx, entries: readonly NewDmInboxEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await tx.query(WRITE_DM_INBOX, [
    entries.map((e) => e.spaceId),
    entries.map((e) => e.botId),
    entries.map((e) => e.conversationId),
    entries.map((e) => e.messageId),
    entries.map((e) => e.eventId),
  ]);
}
