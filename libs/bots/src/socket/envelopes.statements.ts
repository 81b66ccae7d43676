import { nullable, statement, text } from '@tieline/platform/database';
import type { EventDeliveryMode, EventFormat } from '../accounts/bot.js';
import { SLACK_TYPE } from '../events/slack-events.js';
import { URGENT_EVENT_TYPES } from '../poll/direct-event.js';

/** Maximum number of times an envelope is sent. */
const SENDINGS = 8;
const READY_OR_LEFT = `CASE WHEN attempt >= ${SENDINGS} THEN 'left' ELSE 'ready' END`;
/** Number of records that get envelopes at a time. */
export const WINDOW = 500;
const URGENT = URGENT_EVENT_TYPES.map((type) => `'${type}'`).join(', ');

/** $1 space, $2 bot */
export const ENSURE_SOCKET_QUEUE = statement(
  'socket_queues.ensure',
  'INSERT INTO socket_queues (space_id, bot_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
  {},
);

/**
 * Locks a bot's queue for sockets, and returns whether it may have one. Records up to `floor` were
 * polled or are too old, and are not sent. $1 space, $2 bot, $3 smallest id within retention
 */
export const LOCK_SOCKET_QUEUE = statement(
  'socket_queues.lock',
  `SELECT q.taken_to::text AS "takenTo", q.urgent_to::text AS "urgentTo",
          greatest($3::bigint, (SELECT p.polled_to FROM poll_positions p WHERE p.space_id = $1 AND p.bot_id = $2))::text AS floor,
          b.event_delivery_mode AS mode, b.event_format AS "eventFormat", b.token_hash AS "tokenHash", b.scopes,
          b.is_active AND b.deleted_at IS NULL AND s.is_active
            AND (b.token_expires_at IS NULL OR b.token_expires_at > statement_timestamp()) AS "isActive"
     FROM socket_queues q JOIN bots b ON b.space_id = q.space_id AND b.id = q.bot_id JOIN spaces s ON s.id = q.space_id
    WHERE q.space_id = $1 AND q.bot_id = $2 FOR UPDATE OF q`,
  {
    takenTo: 'text',
    urgentTo: 'text',
    floor: 'text',
    mode: text<EventDeliveryMode>(),
    eventFormat: text<EventFormat>(),
    tokenHash: 'bytea',
    scopes: nullable('text[]'),
    isActive: 'bool',
  },
);

/**
 * Deletes envelopes below the floor. Envelopes that are due or whose socket has closed become ready
 * again, or after the last attempt are left to polling. The caller holds the queue's lock.
 * `abandoned`: ids that a closed socket did not acknowledge.
 */
export const TIDY_ENVELOPES = statement(
  'socket_envelopes.sweep',
  {
    params: {
      spaceId: 'uuid',
      botId: 'uuid',
      floor: 'int8',
      abandoned: 'int8[]',
    },
    columns: { conversationId: nullable('uuid'), leftId: nullable('text') },
  },
  `
  WITH passed AS (
    DELETE FROM socket_envelopes
    WHERE space_id = :spaceId AND bot_id = :botId AND record_id <= (SELECT :floor::bigint)
    RETURNING conversation_id
  ), due AS (
    UPDATE socket_envelopes
    SET
      state = ${READY_OR_LEFT},
      due_at = NULL
    WHERE space_id = :spaceId
      AND bot_id = :botId
      AND state = 'sent'
      AND due_at <= statement_timestamp()
      AND record_id > (SELECT :floor::bigint)
      AND NOT record_id = ANY (:abandoned::bigint[])
    RETURNING record_id, conversation_id, state
  ), gone AS (
    UPDATE socket_envelopes
    SET
      state = ${READY_OR_LEFT},
      due_at = NULL
    WHERE space_id = :spaceId
      AND bot_id = :botId
      AND record_id = ANY (:abandoned::bigint[])
      AND state = 'sent'
      AND record_id > (SELECT :floor::bigint)
    RETURNING record_id, conversation_id, state
  )
  SELECT DISTINCT conversation_id AS "conversationId", NULL::text AS "leftId"
  FROM passed
  WHERE conversation_id IS NOT NULL
  UNION ALL
  SELECT conversation_id, record_id::text FROM due WHERE state = 'left'
  UNION ALL
  SELECT conversation_id, record_id::text FROM gone WHERE state = 'left'
  `,
);

/** Returns the event of a record that was left to polling. $1 space, $2 bot, $3 id */
export const FIND_LEFT_RECORD = statement(
  'poll_records.find',
  `SELECT r.event_id AS "eventId", r.event_type AS "eventType" FROM poll_record($1, $2, $3::bigint) r`,
  { eventId: 'uuid', eventType: 'text' },
);

/** Deletes acknowledged envelopes above the floor. The caller holds the queue's lock. */
export const DROP_ENVELOPES = statement(
  'socket_envelopes.drop',
  {
    params: {
      spaceId: 'uuid',
      botId: 'uuid',
      ids: 'int8[]',
      floor: 'int8',
    },
    columns: { id: 'text', conversationId: nullable('uuid') },
  },
  `
  DELETE FROM socket_envelopes
  WHERE space_id = :spaceId
    AND bot_id = :botId
    AND record_id = ANY (:ids::bigint[])
    AND record_id > :floor::bigint
    AND attempt > 0
  RETURNING record_id::text AS id, conversation_id AS "conversationId"
  `,
);

/** Removes acknowledged records from the poll queue. $1 space, $2 bot, $3 ids */
export const DROP_POLL_RECORDS = statement(
  'poll_records.drop',
  'DELETE FROM poll_records WHERE space_id = $1 AND bot_id = $2 AND id = ANY($3::bigint[])',
  {},
);

/**
 * Makes the next event of each conversation ready, unless one is in flight. The caller holds the
 * queue's lock. $1 space, $2 bot, $3 conversations
 */
export const FREE_CONVERSATIONS = statement(
  'socket_envelopes.free_conversations',
  `WITH heads AS MATERIALIZED (
     SELECT h.record_id FROM unnest($3::uuid[]) AS c(id) CROSS JOIN LATERAL (
       SELECT e.record_id, e.state FROM socket_envelopes e
        WHERE e.space_id = $1 AND e.bot_id = $2 AND e.conversation_id = c.id AND e.state <> 'left' ORDER BY e.record_id LIMIT 1) h
      WHERE h.state = 'waiting'
   )
   UPDATE socket_envelopes SET state = 'ready' WHERE space_id = $1 AND bot_id = $2 AND record_id = ANY (ARRAY(SELECT record_id FROM heads))`,
  {},
);

/**
 * Creates envelopes for the next clicks and commands. The caller holds the queue's lock. $1 space,
 * $2 bot, $3 after
 */
export const TAKE_URGENT = statement(
  'socket_envelopes.take_urgent',
  `WITH next AS MATERIALIZED (SELECT id FROM socket_urgent_window($1, $2, $3::bigint, ${WINDOW})), put AS (
     INSERT INTO socket_envelopes (space_id, bot_id, record_id, is_urgent, state) SELECT $1, $2, id, true, 'ready' FROM next
   ), moved AS (
     UPDATE socket_queues SET urgent_to = (SELECT max(id) FROM next) WHERE space_id = $1 AND bot_id = $2 AND EXISTS (SELECT 1 FROM next)
   )
   SELECT count(*)::int4 AS taken FROM next`,
  { taken: 'int4' },
);

/**
 * Creates envelopes for the next events. The first one of each conversation is ready unless one is
 * in flight. Events in Slack's format are ready immediately, because stock apps do not acknowledge
 * those that they have no listener for. The caller holds the queue's lock. $1 space, $2 bot, $3
 * after
 */
export const TAKE_EVENTS = statement(
  'socket_envelopes.take_events',
  `WITH next AS MATERIALIZED (
     SELECT id, event_type, CASE WHEN event_type NOT LIKE '${SLACK_TYPE}%' THEN conversation_id END AS conversation_id
       FROM socket_window($1, $2, $3::bigint, ${WINDOW})
   ), put AS (
     INSERT INTO socket_envelopes (space_id, bot_id, record_id, conversation_id, is_urgent, state)
     SELECT $1, $2, n.id, n.conversation_id, false, CASE WHEN n.place > 1 OR b.record_id IS NOT NULL THEN 'waiting' ELSE 'ready' END
       FROM (SELECT id, conversation_id,
                    CASE WHEN conversation_id IS NULL THEN 1 ELSE row_number() OVER (PARTITION BY conversation_id ORDER BY id) END AS place
               FROM next
              WHERE event_type NOT IN (${URGENT})) n
       LEFT JOIN LATERAL (
         SELECT e.record_id FROM socket_envelopes e
          WHERE e.space_id = $1 AND e.bot_id = $2 AND e.conversation_id = n.conversation_id AND e.state <> 'left' LIMIT 1) b ON true
   ), moved AS (
     UPDATE socket_queues SET taken_to = (SELECT max(id) FROM next) WHERE space_id = $1 AND bot_id = $2 AND EXISTS (SELECT 1 FROM next)
   )
   SELECT count(*)::int4 AS taken FROM next`,
  { taken: 'int4' },
);

/**
 * Claims the envelopes to send now, in order: those of `again` that are due again, and at most
 * `room` others. The caller holds the queue's lock.
 */
export const CLAIM_ENVELOPES = statement(
  'socket_envelopes.claim',
  {
    params: {
      spaceId: 'uuid',
      botId: 'uuid',
      room: 'int8',
      ackSeconds: 'float8',
      again: 'int8[]',
    },
    columns: {
      id: 'text',
      attempt: 'int4',
      eventId: 'uuid',
      eventType: 'text',
      head: nullable('text'),
      payload: 'text',
    },
  },
  `
  WITH chosen AS MATERIALIZED (
    SELECT record_id
    FROM socket_envelopes
    WHERE space_id = :spaceId
      AND bot_id = :botId
      AND state = 'ready'
      AND record_id = ANY (:again::bigint[])
    UNION ALL
    (
      SELECT record_id
      FROM socket_envelopes
      WHERE space_id = :spaceId
        AND bot_id = :botId
        AND state = 'ready'
        AND NOT record_id = ANY (:again::bigint[])
      ORDER BY (NOT is_urgent), record_id
      LIMIT (SELECT :room::bigint)
    )
  ), sent AS (
    UPDATE socket_envelopes
    SET
      state = 'sent',
      attempt = attempt + 1,
      due_at = statement_timestamp() + :ackSeconds::float8 * interval '1 second'
    WHERE space_id = :spaceId
      AND bot_id = :botId
      AND record_id = ANY (ARRAY(SELECT record_id FROM chosen))
    RETURNING record_id, attempt
  )
  SELECT
    s.record_id::text AS id,
    s.attempt,
    r.event_id AS "eventId",
    r.event_type AS "eventType",
    r.head,
    r.payload
  FROM sent s
  CROSS JOIN LATERAL poll_record(:spaceId, :botId, s.record_id) r
  ORDER BY s.record_id
  `,
);

/** Returns an envelope that was sent and not acknowledged. $1 space, $2 bot, $3 id */
export const FIND_ENVELOPE = statement(
  'socket_envelopes.find',
  `SELECT r.event_id AS "eventId", r.event_type AS "eventType", r.payload FROM socket_envelopes e CROSS JOIN LATERAL poll_record($1, $2, e.record_id) r
    WHERE e.space_id = $1 AND e.bot_id = $2 AND e.record_id = $3::bigint AND e.attempt > 0`,
  { eventId: 'uuid', eventType: 'text', payload: 'text' },
);

/** Extends the lease of an envelope. */
export const HOLD_ENVELOPE = statement(
  'socket_envelopes.hold',
  {
    params: {
      spaceId: 'uuid',
      botId: 'uuid',
      id: 'int8',
      seconds: 'float8',
    },
    columns: {},
  },
  `
  UPDATE socket_envelopes
  SET due_at = statement_timestamp() + :seconds::float8 * interval '1 second'
  WHERE space_id = :spaceId AND bot_id = :botId AND record_id = :id::bigint AND state = 'sent'
  `,
);

/** Deletes envelopes of records out of retention. $1 smallest id within it, $2 limit */
export const EXPIRE_ENVELOPES = statement(
  'socket_envelopes.expire',
  `WITH old AS MATERIALIZED (
     SELECT space_id, bot_id, record_id FROM socket_envelopes WHERE record_id < $1::bigint ORDER BY record_id LIMIT $2 FOR UPDATE SKIP LOCKED
   )
   DELETE FROM socket_envelopes e USING old WHERE e.space_id = old.space_id AND e.bot_id = old.bot_id AND e.record_id = old.record_id RETURNING 1 AS n`,
  { n: 'int4' },
);
