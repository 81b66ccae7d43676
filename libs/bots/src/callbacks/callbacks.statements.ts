import { nullable, statement, text } from '@tieline/platform/database';
import type { CallbackKind } from './callback.view.js';

/** Number of callbacks kept per bot. A bot may have more until its log is trimmed. */
export const KEPT_CALLBACKS = 10_000;

/**
 * Returns the ids that were not written before. A repeat may follow if the response to a COMMIT was
 * lost.
 */
export const LOG_CALLBACKS = statement(
  'bot_callbacks.log',
  {
    params: {
      ids: 'uuid[]',
      spaceIds: 'uuid[]',
      botIds: 'uuid[]',
      kinds: 'text[]',
      targets: 'text[]',
      failed: 'bool[]',
      statusCodes: 'int4[]',
      errors: 'text[]',
      durations: 'int4[]',
      responses: 'text[]',
      times: 'timestamptz[]',
    },
    columns: { id: 'uuid' },
  },
  `
  INSERT INTO bot_callbacks (
    id,
    space_id,
    bot_id,
    kind,
    target,
    failed,
    status_code,
    error,
    duration_ms,
    response,
    created_at
  )
  SELECT *
  FROM unnest(
    :ids::uuid[],
    :spaceIds::uuid[],
    :botIds::uuid[],
    :kinds::text[],
    :targets::text[],
    :failed::bool[],
    :statusCodes::int[],
    :errors::text[],
    :durations::int[],
    :responses::text[],
    :times::timestamptz[]
  )
  ON CONFLICT DO NOTHING
  RETURNING id
  `,
);

/** Deletes all but the latest callbacks of a bot. $1 space, $2 bot */
export const TRIM_CALLBACKS = statement(
  'bot_callbacks.trim',
  `DELETE FROM bot_callbacks WHERE space_id = $1 AND bot_id = $2 AND id <= (
     SELECT id FROM bot_callbacks WHERE bot_id = $2 ORDER BY id DESC OFFSET ${KEPT_CALLBACKS} LIMIT 1)`,
  {},
);

const listOf = (condition: string): string => `
  SELECT
    id,
    kind,
    target,
    status_code AS "statusCode",
    error,
    duration_ms AS "durationMs",
    response,
    created_at AS "createdAt"
  FROM bot_callbacks
  WHERE bot_id = :botId AND space_id = :spaceId AND id < :before${condition}
  ORDER BY id DESC
  LIMIT :limit
`;
const LISTED = {
  params: {
    botId: 'uuid',
    spaceId: 'uuid',
    before: 'uuid',
    limit: 'int8',
  },
  columns: {
    id: 'uuid',
    kind: text<CallbackKind>(),
    target: 'text',
    statusCode: nullable('int4'),
    error: nullable('text'),
    durationMs: 'int4',
    response: 'text',
    createdAt: 'timestamptz',
  },
} as const;

/**
 * A page of a bot's callbacks below an id, newest first. Unprepared, so that the plan skips
 * partitions outside the page.
 */
export const LIST_CALLBACKS = statement('bot_callbacks.list', LISTED, listOf(''));

/** Failed callbacks, which have an index. */
export const LIST_FAILED_CALLBACKS = statement('bot_callbacks.list_failed', LISTED, listOf(' AND failed'));

/** Inserts rows for bots that have none, in lock order. $1 spaces, $2 bots */
export const ENSURE_FAILURES = statement(
  'bot_callback_failures.ensure',
  `INSERT INTO bot_callback_failures (space_id, bot_id) SELECT * FROM unnest($1::uuid[], $2::uuid[]) AS b (space_id, bot_id) ORDER BY bot_id
   ON CONFLICT DO NOTHING`,
  {},
);

/**
 * Locks the counts of consecutive failures until the end of the transaction. $1 spaces, $2 bots, $3
 * whether one failed now
 */
export const LOCK_FAILURES = statement(
  'bot_callback_failures.lock',
  `SELECT f.bot_id AS "botId", f.in_a_row AS "inARow" FROM unnest($1::uuid[], $2::uuid[], $3::bool[]) AS b (space_id, bot_id, has_failed)
     JOIN bot_callback_failures f USING (space_id, bot_id) WHERE b.has_failed OR f.in_a_row > 0 ORDER BY f.bot_id FOR NO KEY UPDATE OF f`,
  { botId: 'uuid', inARow: 'int4' },
);

/** $1 spaces, $2 bots, $3 counts */
export const SET_FAILURES = statement(
  'bot_callback_failures.set',
  `UPDATE bot_callback_failures f SET in_a_row = b.n FROM unnest($1::uuid[], $2::uuid[], $3::int[]) AS b (space_id, bot_id, n)
   WHERE f.space_id = b.space_id AND f.bot_id = b.bot_id`,
  {},
);

/**
 * Returns bots by their number of consecutive failures, highest first. $1 space, $2 minimum number
 * of failures, $3 limit
 */
export const LIST_FAILING = statement(
  'bot_callback_failures.list',
  `SELECT b.id, b.display_name AS name, f.in_a_row AS failures FROM bot_callback_failures f JOIN bots b ON b.space_id = f.space_id AND b.id = f.bot_id
    WHERE f.space_id = $1 AND f.in_a_row >= $2 AND b.is_active AND b.deleted_at IS NULL ORDER BY f.in_a_row DESC LIMIT $3`,
  { id: 'uuid', name: 'text', failures: 'int4' },
);

/** Deletes the counts of deleted bots. */
export const DROP_FAILURES = statement(
  'bot_callback_failures.drop',
  `DELETE FROM bot_callback_failures f USING bots b WHERE b.space_id = f.space_id AND b.id = f.bot_id AND b.deleted_at IS NOT NULL`,
  {},
);
