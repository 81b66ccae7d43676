import type { Queryable } from '@tieline/platform/database';

/** Which deliveries a log shows; failed = dead. */
export type DeliveryFilter = 'all' | 'success' | 'failed';

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

/** What to list; newest first. */
export interface ListRequest {
  spaceId: string;
  kind: string;
  targetId: string;
  filter: DeliveryFilter;
  /** Rows at most; ask for one more than shown to learn whether there is a next page. */
  limit: number;
  /** Id of the last delivery of the page before, or "". */
  cursor: string;
}

const SUMMARY = `d.id, d.kind, d.target_id, d.event_id, d.event_type, d.status, coalesce(q.attempts, d.attempts) AS attempts, d.error, d.created_at,
  greatest(q.due_at, t.open_until) AS next_attempt_at`;
const JOINS = `LEFT JOIN delivery_queue q ON q.id = d.id LEFT JOIN delivery_targets t ON q.id IS NOT NULL AND t.target_id = d.target_id`;
const STATUS_OF: Readonly<Record<DeliveryFilter, string | null>> = {
  all: null,
  success: 'success',
  failed: 'dead',
};

interface SummaryRow {
  id: string;
  kind: string;
  target_id: string;
  event_id: string;
  event_type: string;
  status: DeliverySummary['status'];
  attempts: number;
  error: string | null;
  created_at: Date;
  next_attempt_at: Date | null;
}

/** The deliveries of one target, newest first. */
export async function listDeliveries(
  db: Queryable,
  { spaceId, kind, targetId, filter, limit, cursor }: ListRequest,
): Promise<DeliverySummary[]> {
  const rows = await db.query<SummaryRow>(
    `SELECT ${SUMMARY} FROM deliveries d ${JOINS}
     WHERE d.target_id = $1 AND d.space_id = $2 AND d.kind = $3 AND ($4::text IS NULL OR d.status = $4) AND ($5::uuid IS NULL OR d.id < $5)
     ORDER BY d.id DESC LIMIT $6`,
    [targetId, spaceId, kind, STATUS_OF[filter], cursor === '' ? null : cursor, limit],
  );
  return rows.map(toSummary);
}

/** One delivery of the space, or undefined when it is unknown, foreign or out of retention. */
export async function findDelivery(
  db: Queryable,
  spaceId: string,
  id: string,
): Promise<DeliveryDetail | undefined> {
  const [row] = await db.query<SummaryRow & { headers: string; payload_id: string; body: Buffer | null }>(
    `SELECT ${SUMMARY}, d.headers, d.payload_id, p.body FROM deliveries d ${JOINS}
       LEFT JOIN delivery_payloads p ON p.id = d.payload_id AND p.space_id = d.space_id
     WHERE d.id = $1 AND d.space_id = $2`,
    [id, spaceId],
  );
  if (!row) return undefined;
  const attempts = await db.query<{
    headers: string | null;
    at: Date;
    status_code: number | null;
    duration_ms: number;
    error: string | null;
    response: string;
  }>(
    'SELECT headers, at, status_code, duration_ms, error, response FROM delivery_attempts WHERE delivery_id = $1 AND space_id = $2 ORDER BY at, attempt',
    [id, spaceId],
  );
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
