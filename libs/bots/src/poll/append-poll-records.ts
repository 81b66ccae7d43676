import type { Tx } from '@tieline/platform/database';
import { APPEND_POLL_RECORDS } from './poll-queue.statements.js';

/** An event for the queue of one bot. */
export interface NewPollRecord {
  spaceId: string;
  botId: string;
  eventId: string;
  eventType: string;
  /**
   * The text of `payload_json`. Sent to Postgres once per statement, however many records share it.
   */
  payload: string;
  /**
   * Envelope without `data`, shared by all records of one event (`eventHead`). Absent for events
   * that are never pushed.
   */
  head?: string;
  /**
   * The conversation within which sockets send events in order; absent for records that wait for no
   * other.
   */
  conversationId?: string;
}

const CHUNK = 5000;

/**
 * Queues events for polling bots, in event order. One statement per 5,000 records.
 *
 * Call it only inside the relay's planning transaction, of which there is one at a time. With two
 * writers, a record could become visible after a reader has moved its cursor past it. After the
 * commit, call `announcePollRecords`.
 */
export async function appendPollRecords(tx: Tx, records: readonly NewPollRecord[]): Promise<void> {
  for (let start = 0; start < records.length; start += CHUNK)
    await append(tx, records.slice(start, start + CHUNK));
}

async function append(tx: Tx, records: readonly NewPollRecord[]): Promise<void> {
  const events = [...new Map(records.map((record) => [record.head ?? record.payload, record])).entries()];
  const places = new Map(events.map(([key], n) => [key, n + 1]));
  await tx.query(APPEND_POLL_RECORDS, {
    spaceIds: records.map((r) => r.spaceId),
    botIds: records.map((r) => r.botId),
    eventIds: records.map((r) => r.eventId),
    eventTypes: records.map((r) => r.eventType),
    places: records.map((r) => places.get(r.head ?? r.payload) ?? null),
    count: records.length,
    payloads: events.map(([, { payload }]) => payload),
    heads: events.map(([, { head }]) => head ?? null),
    conversationIds: events.map(([, { conversationId }]) => conversationId ?? null),
  });
}
