import { unprepared } from '@tieline/platform/database';
import type { Queryable, RowOf } from '@tieline/platform/database';
import { pageOf } from '@tieline/platform/http';
import type { Page } from '@tieline/platform/http';
import { readAttemptHeaders } from './attempt-headers.js';
import {
  END_OF_DEAD_PAGE,
  END_OF_PAGE,
  FIND_DELIVERY,
  LIST_ATTEMPTS,
  LIST_DEAD_LETTERS,
  LIST_DELIVERIES,
} from './delivery.statements.js';
import { narrowed } from './narrowed-log.js';
import type { LogFilters } from './log-filters.js';

/** An entry of a delivery log. */
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
  /** The latest redelivery of it. */
  redeliveredAs: string | null;
  /** The last attempt, or null before the first. */
  lastAttempt: LastAttempt | null;
  createdAt: Date;
}

/** Summary of an attempt. */
interface LastAttempt {
  /** Null if there was no response. */
  statusCode: number | null;
  durationMs: number;
}

/** A delivery with its request and every attempt. */
export interface DeliveryDetail extends DeliverySummary {
  payloadId: string;
  /** As sent. For kinds that sign each attempt, the headers of the last one. */
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

/** Parameters of a page of a log. */
export interface ListRequest extends LogFilters {
  spaceId: string;
  kind: string;
  targetId: string;
  limit: number;
  /** Id of the last delivery of the previous page, or "". */
  cursor: string;
}

type SummaryRow = Omit<RowOf<typeof LIST_DELIVERIES>, 'lastCode' | 'lastMs'>;

/**
 * Returns a page of the deliveries of one target, newest first
 * (docs/outgoing-webhooks.md#delivery-log). It looks at no more than {@link SCANNED} deliveries.
 * With rare matches a page may be short or empty and still have a next one.
 */
export async function listDeliveries(db: Queryable, request: ListRequest): Promise<Page<DeliverySummary>> {
  const { spaceId, kind, targetId, limit } = request;
  const log = narrowed(request);
  if (!log) return { rows: [], nextCursor: '' };
  const values = { spaceId, kind, targetId, ...log };
  const list = unprepared(log.deadAlone ? LIST_DEAD_LETTERS : LIST_DELIVERIES);
  const found = (await db.query(list, { ...values, limit: limit + 1 })).map((row) =>
    toSummary(row, row.lastMs === null ? null : { statusCode: row.lastCode, durationMs: row.lastMs }),
  );
  const page = pageOf(found, limit, ({ id }) => id);
  if (page.nextCursor !== '' || !log.isNarrow) return page;
  const [end] = await db.query(unprepared(log.deadAlone ? END_OF_DEAD_PAGE : END_OF_PAGE), values);
  return { ...page, nextCursor: end ? lesser(end.id, found.at(-1)?.id) : '' };
}

/** Deliveries planned since the page was read move its end, so that none is shown twice. */
function lesser(end: string, shown = end): string {
  return shown < end ? shown : end;
}

/**
 * Returns a delivery of the space, or undefined if it is unknown, of another space or out of
 * retention.
 */
export async function findDelivery(
  db: Queryable,
  spaceId: string,
  id: string,
): Promise<DeliveryDetail | undefined> {
  const [row] = await db.query(unprepared(FIND_DELIVERY), [id, spaceId]);
  if (!row) return undefined;
  const attempts = await db.query(unprepared(LIST_ATTEMPTS), [id, spaceId]);
  const last = attempts.at(-1);
  return {
    ...toSummary(row, last ? { statusCode: last.statusCode, durationMs: last.durationMs } : null),
    payloadId: row.payloadId,
    headers: {
      ...(JSON.parse(row.headers) as object),
      ...(last && readAttemptHeaders({ deliveryId: id, at: last.at }, last.headers)),
    },
    body: row.body,
    attemptLog: attempts.map((a) => ({
      at: a.at,
      statusCode: a.statusCode,
      durationMs: a.durationMs,
      error: a.error,
      response: a.response,
    })),
  };
}

function toSummary(row: SummaryRow, lastAttempt: LastAttempt | null): DeliverySummary {
  return {
    id: row.id,
    kind: row.kind,
    targetId: row.targetId,
    eventId: row.eventId,
    eventType: row.eventType,
    status: row.status,
    attempts: row.attempts,
    error: row.error,
    nextAttemptAt: row.status === 'pending' ? row.nextAttemptAt : null,
    redeliveredAs: row.redeliveredAs,
    lastAttempt,
    createdAt: row.createdAt,
  };
}
