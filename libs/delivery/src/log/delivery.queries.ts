import { unprepared } from '@tieline/platform/database';
import type { Queryable, RowOf } from '@tieline/platform/database';
import { pageOf } from '@tieline/platform/http';
import type { Page } from '@tieline/platform/http';
import type { DeliveryFilter } from './dto/deliveries-query.dto.js';
import { FIND_DELIVERY, LIST_ATTEMPTS, LIST_DEAD_LETTERS, LIST_DELIVERIES } from './delivery.statements.js';

/** One line of a delivery log. */
export interface DeliverySummary {
  id: string;
  kind: string;
  targetId: string;
  eventId: string;
  eventType: string;
  status: 'pending' | 'success' | 'dead';
  attempts: number;
  error: string | null;
  nextAttemptAt: Date | null;
  createdAt: Date;
}

/** One delivery with its request and every attempt. */
export interface DeliveryDetail extends DeliverySummary {
  payloadId: string;
  /** As sent; where every attempt has its own signature, those of the last one. */
  headers: Record<string, string>;
  body: Buffer | null;
  attemptLog: {
    at: Date;
    statusCode: number | null;
    durationMs: number;
    error: string | null;
    response: string;
  }[];
}

/** Which page of which log. */
export interface ListRequest {
  spaceId: string;
  kind: string;
  targetId: string;
  filter: DeliveryFilter;
  limit: number;
  /** Id of the last delivery of the page before, or "". */
  cursor: string;
}

type SummaryRow = RowOf<typeof LIST_DELIVERIES>;

/** A page of the deliveries of one target, newest first (decisions, section 7). */
export async function listDeliveries(
  db: Queryable,
  { spaceId, kind, targetId, filter, limit, cursor }: ListRequest,
): Promise<Page<DeliverySummary>> {
  const before = cursor === '' ? null : cursor;
  const rows =
    filter === 'failed'
      ? await db.query(unprepared(LIST_DEAD_LETTERS), [targetId, spaceId, kind, before, limit + 1])
      : await db.query(unprepared(LIST_DELIVERIES), [
          targetId,
          spaceId,
          kind,
          filter === 'all' ? null : filter,
          before,
          limit + 1,
        ]);
  return pageOf(rows.map(toSummary), limit, ({ id }) => id);
}

/** One delivery of the space, or undefined when it is unknown, foreign or out of retention. */
export async function findDelivery(
  db: Queryable,
  spaceId: string,
  id: string,
): Promise<DeliveryDetail | undefined> {
  const [row] = await db.query(unprepared(FIND_DELIVERY), [id, spaceId]);
  if (!row) return undefined;
  const attempts = await db.query(unprepared(LIST_ATTEMPTS), [id, spaceId]);
  return {
    ...toSummary(row),
    payloadId: row.payload_id,
    headers: {
      ...(JSON.parse(row.headers) as object),
      ...(JSON.parse(attempts.at(-1)?.headers ?? '{}') as object),
    },
    body: row.body,
    attemptLog: attempts.map((a) => ({
      at: a.at,
      statusCode: a.status_code,
      durationMs: a.duration_ms,
      error: a.error,
      response: a.response,
    })),
  };
}

function toSummary(row: SummaryRow): DeliverySummary {
  return {
    id: row.id,
    kind: row.kind,
    targetId: row.target_id,
    eventId: row.event_id,
    eventType: row.event_type,
    status: row.status,
    attempts: row.attempts,
    error: row.error,
    nextAttemptAt: row.status === 'pending' ? row.next_attempt_at : null,
    createdAt: row.created_at,
  };
}
