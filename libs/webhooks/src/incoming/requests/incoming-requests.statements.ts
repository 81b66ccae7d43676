import { json, nullable, statement } from '@tieline/platform/database';

/** Number of requests logged per webhook. */
export const MAX_LOGGED_REQUESTS = 100;

/** Writes entries of several webhooks. Skips webhooks that have been deleted. */
export const LOG_REQUESTS = statement(
  'webhooks.log_incoming_requests',
  `INSERT INTO incoming_requests (space_id, webhook_id, id, at, address, status, reason, notes, body, message_id)
   SELECT l.* FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::text[], $6::int[], $7::text[], $8::jsonb[], $9::bytea[], $10::uuid[])
     AS l (space_id, webhook_id, id, at, address, status, reason, notes, body, message_id)
     JOIN incoming_webhooks w ON w.space_id = l.space_id AND w.id = l.webhook_id AND w.deleted_at IS NULL`,
  {},
);

/** Deletes all but the newest entries of these webhooks. */
export const TRIM_REQUESTS = statement(
  'webhooks.trim_incoming_requests',
  `DELETE FROM incoming_requests r USING (
     SELECT w.space_id, w.webhook_id, (SELECT k.id FROM incoming_requests k WHERE k.space_id = w.space_id AND k.webhook_id = w.webhook_id
       ORDER BY k.id DESC OFFSET ${MAX_LOGGED_REQUESTS} LIMIT 1) AS id FROM unnest($1::uuid[], $2::uuid[]) AS w (space_id, webhook_id)) AS last
    WHERE r.space_id = last.space_id AND r.webhook_id = last.webhook_id AND r.id <= last.id`,
  {},
);

/** Returns a page of a webhook's entries older than $3, newest first. */
export const LIST_REQUESTS = statement(
  'webhooks.list_incoming_requests',
  `SELECT id, at, address, status, reason, notes, body, message_id AS "messageId" FROM (
     SELECT * FROM incoming_requests WHERE space_id = $1 AND webhook_id = $2 ORDER BY id DESC LIMIT ${MAX_LOGGED_REQUESTS}) AS kept
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

/** Deletes the entries of a webhook. */
export const DELETE_REQUESTS = statement(
  'webhooks.delete_incoming_requests',
  'DELETE FROM incoming_requests WHERE space_id = $1 AND webhook_id = $2',
  {},
);
