import { unprepared } from '@tieline/platform/database';
import type { Queryable, RowOf } from '@tieline/platform/database';
import { pageOf } from '@tieline/platform/http';
import type { Page } from '@tieline/platform/http';
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
  /** The latest delivery that it was sent again as. */
  redeliveredAs: string | null;
  /** What its last attempt came to; null before the first. */
  lastAttempt: LastAttempt | null;
  createdAt: Date;
}

/** In short what came of an attempt. */
export interface LastAttempt {
  /** Null when no answer came. */
  statusCode: number | null;
  durationMs: number;
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
export interface ListRequest extends LogFilters {
  spaceId: string;
  kind: string;
  targetId: string;
  limit: number;
  /** Id of the last delivery of the page before, or "". */
  cursor: string;
}

type SummaryRow = Omit<RowOf<typeof LIST_DELIVERIES>, 'last_code' | 'last_ms'>;

/**
 * A page of the deliveries of one target, newest first (decisions, sections 7 and 11.3). It looks
 * at {@link SCANNED} deliveries at most: where what is asked for is seldom, a page may be short or
 * empty and still have a next one.
 */
export async function listDeliveries(db: Queryable, request: ListRequest): Promise<Page<DeliverySummary>> {
  const { spaceId, kind, targetId, limit } = request;
  const log = narrowed(request);
  if (!log) return { rows: [], nextCursor: '' };
  const range = [targetId, spaceId, kind, log.before, log.from];
  const filters = [log.status, log.eventType, log.code, log.since, log.until, log.unrecovered];
  const list = unprepared(log.deadAlone ? LIST_DEAD_LETTERS : LIST_DELIVERIES);
  const found = (await db.query(list, [...range, ...filters, limit + 1])).map((row) =>
    toSummary(row, row.last_ms === null ? null : { statusCode: row.last_code, durationMs: row.last_ms }),
  );
  const page = pageOf(found, limit, ({ id }) => id);
  if (page.nextCursor !== '' || !log.isNarrow) return page;
  const [end] = await db.query(unprepared(log.deadAlone ? END_OF_DEAD_PAGE : END_OF_PAGE), range);
  return { ...page, nextCursor: end ? lesser(end.id, found.at(-1)?.id) : '' };
}

/** What was planned since the page was read moves its end: nothing is shown twice. */
function lesser(end: string, shown = end): string {
  return shown < end ? shown : end;
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
  const last = attempts.at(-1);
  return {
    ...toSummary(row, last ? { statusCode: last.status_code, durationMs: last.duration_ms } : null),
    payloadId: row.payload_id,
    headers: {
      ...(JSON.parse(row.headers) as object),
      ...(JSON.parse(last?.headers ?? '{}') as object),
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

function toSummary(row: SummaryRow, lastAttempt: LastAttempt | null): DeliverySummary {
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
    redeliveredAs: row.redelivered_as,
    lastAttempt,
    createdAt: row.created_at,
  };
}
