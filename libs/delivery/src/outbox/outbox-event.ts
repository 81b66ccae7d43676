import type { RowOf, Tx } from '@tieline/platform/database';
import { traceparent } from '@tieline/platform/tracing';
import { APPEND_EVENTS } from './outbox.statements.js';
import type { TAKE_THESE_EVENTS } from './outbox.statements.js';

/** Signal of transactions that append events, with the space: `tx.signal(OUTBOX, spaceId)`. */
export const OUTBOX = 'outbox';

/** A fact for subscribers, written in the transaction that makes it true. */
export interface OutboxEvent {
  /** UUIDv7. The same in every delivery of this event. */
  eventId: string;
  spaceId: string;
  type: string;
  /** Plain JSON with everything subscribers need, as of the commit. */
  payload: object;
}

/** An event as subscribers get it. */
export interface OutboxRecord<Payload = unknown> {
  /** Position in the outbox. An event that another one caused has a greater position. */
  id: number;
  eventId: string;
  spaceId: string;
  type: string;
  payload: Payload;
  /** The target up to which the subscriber has planned it. Undefined before the first part. */
  cursor?: string | undefined;
}

/**
 * Appends events in the caller's transaction. The caller must hold the row lock of the
 * conversation, so that the positions of its events follow the order of commits.
 */
export async function appendOutbox(tx: Tx, ...events: OutboxEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query(APPEND_EVENTS, {
    eventIds: events.map((e) => e.eventId),
    spaceIds: events.map((e) => e.spaceId),
    types: events.map((e) => e.type),
    payloads: events.map((e) => JSON.stringify(e.payload)),
    traceparent: traceparent() ?? null,
  });
  for (const { spaceId } of events) tx.signal(OUTBOX, spaceId);
}

/** A row taken from the outbox. */
export type EventRow = RowOf<typeof TAKE_THESE_EVENTS>;
/** The same, with the transaction ids that the low-water mark needs. */
export type TakenRow = EventRow & { ownXid: number; oldestXid: number };

/** @throws SyntaxError if the payload is not JSON */
export function toRecord({ id, eventId, spaceId, type, payload }: EventRow): OutboxRecord {
  return { id, eventId, spaceId, type, payload: JSON.parse(payload) as unknown };
}

/** Sorts events in place by their position in the outbox, and returns them. */
export function sortById<Row extends EventRow>(rows: Row[]): Row[] {
  return rows.sort((a, b) => a.id - b.id);
}
