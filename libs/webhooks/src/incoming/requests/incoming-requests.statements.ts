import { json, nullable, statement } from '@tieline/platform/database';

/** Number of requests shown per webhook. */
export const MAX_LOGGED_REQUESTS = 100;

/** Writes entries of several webhooks. Skips webhooks that have been deleted. */
export const LOG_REQUESTS = statement(
  'incoming_requests.log',
  {
    params: {
      spaceIds: 'uuid[]',
      webhookIds: 'uuid[]',
      ids: 'uuid[]',
      times: 'timestamptz[]',
      addresses: 'text[]',
      statuses: 'int4[]',
      reasons: 'text[]',
      notes: 'json[]',
      bodies: 'bytea[]',
      messageIds: 'uuid[]',
    },
    columns: {},
  },
  `
  INSERT INTO incoming_requests (
    space_id,
    webhook_id,
    id,
    at,
    address,
    status,
    reason,
    notes,
    body,
    message_id
  )
  SELECT l.*
  FROM unnest(
    :spaceIds::uuid[],
    :webhookIds::uuid[],
    :ids::uuid[],
    :times::timestamptz[],
    :addresses::text[],
    :statuses::int[],
    :reasons::text[],
    :notes::jsonb[],
    :bodies::bytea[],
    :messageIds::uuid[]
  ) AS l (space_id, webhook_id, id, at, address, status, reason, notes, body, message_id)
  JOIN incoming_webhooks w ON w.space_id = l.space_id AND w.id = l.webhook_id AND w.deleted_at IS NULL
  `,
);

/** Deletes all but the newest entries of these webhooks. $1 spaces, $2 webhooks */
export const TRIM_REQUESTS = statement(
  'incoming_requests.trim',
  `
  DELETE FROM incoming_requests r
  USING (
    SELECT
      w.space_id,
      w.webhook_id,
      (
        SELECT k.id
        FROM incoming_requests k
        WHERE k.space_id = w.space_id AND k.webhook_id = w.webhook_id
        ORDER BY k.id DESC
        OFFSET ${MAX_LOGGED_REQUESTS}
        LIMIT 1
      ) AS id
    FROM unnest($1::uuid[], $2::uuid[]) AS w (space_id, webhook_id)
  ) AS last
  WHERE r.space_id = last.space_id AND r.webhook_id = last.webhook_id AND r.id <= last.id
  `,
  {},
);

/** Returns a page of a webhook's entries older than `before`, newest first. */
export const LIST_REQUESTS = statement(
  'incoming_requests.list',
  {
    params: {
      spaceId: 'uuid',
      webhookId: 'uuid',
      before: nullable('uuid'),
      most: 'int8',
    },
    columns: {
      id: 'uuid',
      at: 'timestamptz',
      address: 'text',
      status: 'int4',
      reason: 'text',
      notes: json<string[]>(),
      body: 'bytea',
      messageId: nullable('uuid'),
    },
  },
  `
  SELECT
    id,
    at,
    address,
    status,
    reason,
    notes,
    body,
    message_id AS "messageId"
  FROM (
    SELECT *
    FROM incoming_requests
    WHERE space_id = :spaceId AND webhook_id = :webhookId
    ORDER BY id DESC
    LIMIT ${MAX_LOGGED_REQUESTS}
  ) AS kept
  WHERE :before::uuid IS NULL OR id < :before::uuid
  ORDER BY id DESC
  LIMIT :most
  `,
);

/** Deletes the entries of a webhook. */
export const DELETE_REQUESTS = statement(
  'incoming_requests.delete',
  'DELETE FROM incoming_requests WHERE space_id = $1 AND webhook_id = $2',
  {},
);
