import { nodeOf, WHOLE } from '@tieline/delivery';
import type { Shard } from '@tieline/delivery';
import type { Tx } from '@tieline/platform/database';
import { APPEND_POLL_RECORDS, APPEND_POLL_RECORDS_OF_SHARD } from './poll-queue.statements.js';

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
 * Call it only inside the relay's planning transaction, of which there is one at a time for a bot.
 * With two writers, a record could become visible after a reader has moved its cursor past it. Each
 * shard of the relay has its own clock, so that it does not wait for the others. After the commit,
 * call `announcePollRecords`.
 */
export async function appendPollRecords(
  tx: Tx,
  records: readonly NewPollRecord[],
  shard: Shard = WHOLE,
): Promise<void> {
  for (let start = 0; start < records.length; start += CHUNK)
    await append(tx, records.slice(start, start + CHUNK), shard);
}

async function append(tx: Tx, records: readonly NewPollRecord[], shard: Shard): Promise<void> {
  const events = [...new Map(records.map((record) => [record.head ?? record.payload, record])).entries()];
  const places = new Map(events.map(([key], n) => [key, n + 1]));
  const columns = [
    records.map((r) => r.spaceId),
    records.map((r) => r.botId),
    records.map((r) => r.eventId),
    records.map((r) => r.eventType),
    records.map((r) => places.get(r.head ?? r.payload)),
    records.length,
    events.map(([, { payload }]) => payload),
    events.map(([, { head }]) => head ?? null),
    events.map(([, { conversationId }]) => conversationId ?? null),
  ];
  if (shard.count === 1) await tx.query(APPEND_POLL_RECORDS, columns);
  else await tx.query(APPEND_POLL_RECORDS_OF_SHARD, [...columns, nodeOf(shard)]);
}
