import { json, nullable, statement } from '@tieline/platform/database';

/** Requests that are kept of each webhook (decisions, section 7). */
export const KEPT_REQUESTS = 100;

/** Writes entries of many webhooks; those of a webhook that was deleted meanwhile are left out. */
export const LOG_REQUESTS = statement(
  'webhooks.log_incoming_requests',
  `INSERT INTO incoming_requests (space_id, webhook_id, id, at, address, status, reason, notes, body, message_id)
   SELECT l.* FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::text[], $6::int[], $7::text[], $8::jsonb[], $9::bytea[], $10::uuid[])
     AS l (space_id, webhook_id, id, at, address, status, reason, notes, body, message_id)
     JOIN incoming_webhooks w ON w.space_id = l.space_id AND w.id = l.webhook_id AND w.deleted_at IS NULL`,
  {},
);

/** Deletes what is older than the requests that are kept of each of these webhooks. */
export const TRIM_REQUESTS = statement(
  'webhooks.trim_incoming_requests',
  `DELETE FROM incoming_requests r USING (
     SELECT w.space_id, w.webhook_id, (SELECT k.id FROM incoming_requests k WHERE k.space_id = w.space_id AND k.webhook_id = w.webhook_id
       ORDER BY k.id DESC OFFSET ${KEPT_REQUESTS} LIMIT 1) AS id FROM unnest($1::uuid[], $2::uuid[]) AS w (space_id, webhook_id)) AS last
    WHERE r.space_id = last.space_id AND r.webhook_id = last.webhook_id AND r.id <= last.id`,
  {},
);

/** A page of the kept requests of one webhook, newest first, from below $3. */
export const LIST_REQUESTS = statement(
  'webhooks.list_incoming_requests',
  `SELECT id, at, address, status, reason, notes, body, message_id AS "messageId" FROM (
     SELECT * FROM incoming_requests WHERE space_id = $1 AND webhook_id = $2 ORDER BY id DESC LIMIT ${KEPT_REQUESTS}) AS kept
    WHERE $3::uuid IS NULL OR id < $3::uuid ORDER BY id DESC LIMIT $4`,
  {
    id: 'uuid',
    at: 'timestamptz',
    address: 'text',
    status: 'int4',
    reason: 'text',
    notes: json<string[]>(),
    body: 'bytea',
    messageId: nullable('uuid'),
  },
);

/** Forgets the requests of one webhook. */
export const DELETE_REQUESTS = statement(
  'webhooks.delete_incoming_requests',
  'DELETE FROM incoming_requests WHERE space_id = $1 AND webhook_id = $2',
  {},
);
