import type { RowOf, Tx } from '@tieline/platform/database';
import { traceparent } from '@tieline/platform/tracing';
import { APPEND_EVENTS } from './outbox.statements.js';
import type { TAKE_EVENTS, TAKE_THESE_EVENTS } from './outbox.statements.js';

/**
 * Signalled by every transaction that appended an event, with its space: `tx.signal(OUTBOX,
 * spaceId)`.
 */
export const OUTBOX = 'outbox';

/** A fact to be told to subscribers, written in the transaction that made it true. */
export interface OutboxEvent {
  /** UUIDv7; the same in every delivery of this event. */
  eventId: string;
  spaceId: string;
  type: string;
  /** Everything that subscribers need, frozen at commit; plain JSON. */
  payload: object;
}

/** An event as the relay hands it to subscribers. */
export interface OutboxRecord<Payload = unknown> {
  /** Position; causally later events have greater ones. */
  id: number;
  eventId: string;
  spaceId: string;
  type: string;
  payload: Payload;
}

/**
 * Appends events to the outbox inside the caller's transaction. Events of one conversation must be
 * appended while its row lock is held: the order of their positions is then the order of commit.
 */
export async function appendOutbox(tx: Tx, ...events: OutboxEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query(APPEND_EVENTS, [
    events.map((e) => e.eventId),
    events.map((e) => e.spaceId),
    events.map((e) => e.type),
    events.map((e) => JSON.stringify(e.payload)),
    traceparent() ?? null,
  ]);
  for (const { spaceId } of events) tx.signal(OUTBOX, spaceId);
}

/** What the relay took out of the outbox. */
export type EventRow = RowOf<typeof TAKE_THESE_EVENTS>;
/** The same with what the low-water mark is made from. */
export type TakenRow = RowOf<typeof TAKE_EVENTS>;

/** @throws SyntaxError when the payload is no JSON */
export function toRecord(row: EventRow): OutboxRecord {
  return {
    id: row.id,
    eventId: row.event_id,
    spaceId: row.space_id,
    type: row.type,
    payload: JSON.parse(row.payload) as unknown,
  };
}
