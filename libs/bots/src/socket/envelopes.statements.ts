import { nullable, statement, text } from '@tieline/platform/database';
import type { EventDeliveryMode } from '../accounts/bot-settings.js';
import { DIRECT_EVENT_TYPES } from '../poll/direct-event.js';

/** Maximum number of times an envelope is sent. */
const SENDINGS = 8;
/** Number of records that get envelopes at a time. */
export const WINDOW = 500;
const URGENT = DIRECT_EVENT_TYPES.map((type) => `'${type}'`).join(', ');

/** $1 space, $2 bot */
export const ENSURE_SOCKET_QUEUE = statement(
  'bots.ensure_socket_queue',
  'INSERT INTO socket_queues (space_id, bot_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
  {},
);

/**
 * Locks a bot's queue for sockets, and returns whether it may have one. Records up to `floor` were
 * polled or are too old, and are not sent. $1 space, $2 bot, $3 smallest id within retention
 */
export const LOCK_SOCKET_QUEUE = statement(
  'bots.lock_socket_queue',
  `SELECT q.taken_to::text AS "takenTo", q.urgent_to::text AS "urgentTo",
          greatest($3::bigint, (SELECT p.polled_to FROM poll_positions p WHERE p.space_id = $1 AND p.bot_id = $2))::text AS floor,
          b.event_delivery_mode AS mode, b.token_hash AS "tokenHash", b.is_active AND b.deleted_at IS NULL AND s.is_active AS "isActive"
     FROM socket_queues q JOIN bots b ON b.space_id = q.space_id AND b.id = q.bot_id JOIN spaces s ON s.id = q.space_id
    WHERE q.space_id = $1 AND q.bot_id = $2 FOR UPDATE OF q`,
  {
    takenTo: 'text',
    urgentTo: 'text',
    floor: 'text',
    mode: text<EventDeliveryMode>(),
    tokenHash: 'bytea',
    isActive: 'bool',
  },
);

/**
 * Deletes envelopes below the floor. Envelopes that are due or whose socket has closed become ready
 * again, or after the last attempt are left to polling. The caller holds the queue's lock. $1
 * space, $2 bot, $3 floor, $4 ids that a closed socket did not acknowledge
 */
export const TIDY_ENVELOPES = statement(
  'bots.tidy_envelopes',
  `WITH passed AS (
     DELETE FROM socket_envelopes WHERE space_id = $1 AND bot_id = $2 AND record_id <= $3::bigint RETURNING conversation_id
   ), due AS (
     UPDATE socket_envelopes SET state = CASE WHEN attempt >= ${SENDINGS} THEN 'left' ELSE 'ready' END, due_at = NULL
      WHERE space_id = $1 AND bot_id = $2 AND state = 'sent' AND due_at <= statement_timestamp() AND record_id > $3::bigint
        AND NOT record_id = ANY($4::bigint[])
     RETURNING record_id, conversation_id, state
   ), gone AS (
     UPDATE socket_envelopes SET state = CASE WHEN attempt >= ${SENDINGS} THEN 'left' ELSE 'ready' END, due_at = NULL
      WHERE space_id = $1 AND bot_id = $2 AND record_id = ANY($4::bigint[]) AND state = 'sent' AND record_id > $3::bigint
     RETURNING record_id, conversation_id, state
   )
   SELECT DISTINCT conversation_id AS "conversationId", NULL::text AS "leftId" FROM passed WHERE conversation_id IS NOT NULL
   UNION ALL SELECT conversation_id, record_id::text FROM due WHERE state = 'left'
   UNION ALL SELECT conversation_id, record_id::text FROM gone WHERE state = 'left'`,
  { conversationId: nullable('uuid'), leftId: nullable('text') },
);

/** Returns the event of a record that was left to polling. $1 space, $2 bot, $3 id */
export const FIND_LEFT_RECORD = statement(
  'bots.find_left_record',
  `SELECT r.event_id AS "eventId", r.event_type AS "eventType" FROM poll_record($1, $2, $3::bigint) r`,
  { eventId: 'uuid', eventType: 'text' },
);

/**
 * Deletes acknowledged envelopes. The caller holds the queue's lock. $1 space, $2 bot, $3 ids, $4
 * floor
 */
export const DROP_ENVELOPES = statement(
  'bots.drop_envelopes',
  `DELETE FROM socket_envelopes WHERE space_id = $1 AND bot_id = $2 AND record_id = ANY($3::bigint[]) AND record_id > $4::bigint AND attempt > 0
   RETURNING record_id::text AS id, conversation_id AS "conversationId"`,
  { id: 'text', conversationId: nullable('uuid') },
);

/** Removes acknowledged records from the poll queue. $1 space, $2 bot, $3 ids */
export const DROP_POLL_RECORDS = statement(
  'bots.drop_poll_records',
  'DELETE FROM poll_records WHERE space_id = $1 AND bot_id = $2 AND id = ANY($3::bigint[])',
  {},
);

/**
 * Makes the next event of each conversation ready, unless one is in flight. The caller holds the
 * queue's lock. $1 space, $2 bot, $3 conversations
 */
export const FREE_CONVERSATIONS = statement(
  'bots.free_conversations',
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
  'bots.take_urgent_records',
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
 * in flight. The caller holds the queue's lock. $1 space, $2 bot, $3 after
 */
export const TAKE_EVENTS = statement(
  'bots.take_event_records',
  `WITH next AS MATERIALIZED (SELECT id, event_type, conversation_id FROM socket_window($1, $2, $3::bigint, ${WINDOW})), put AS (
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
 * Claims the envelopes to send now, in order: those of $5 that are due again, and at most $3
 * others. The caller holds the queue's lock. $1 space, $2 bot, $4 seconds to acknowledge
 */
export const CLAIM_ENVELOPES = statement(
  'bots.claim_envelopes',
  `WITH chosen AS MATERIALIZED (
     SELECT record_id FROM socket_envelopes WHERE space_id = $1 AND bot_id = $2 AND state = 'ready' AND record_id = ANY($5::bigint[])
     UNION ALL
     (SELECT record_id FROM socket_envelopes WHERE space_id = $1 AND bot_id = $2 AND state = 'ready' AND NOT record_id = ANY($5::bigint[])
      ORDER BY (NOT is_urgent), record_id LIMIT $3)
   ), sent AS (
     UPDATE socket_envelopes SET state = 'sent', attempt = attempt + 1, due_at = statement_timestamp() + $4::float8 * interval '1 second'
      WHERE space_id = $1 AND bot_id = $2 AND record_id = ANY (ARRAY(SELECT record_id FROM chosen)) RETURNING record_id, attempt
   )
   SELECT s.record_id::text AS id, s.attempt, r.event_id AS "eventId", r.event_type AS "eventType", r.head, r.payload
     FROM sent s CROSS JOIN LATERAL poll_record($1, $2, s.record_id) r ORDER BY s.record_id`,
  {
    id: 'text',
    attempt: 'int4',
    eventId: 'uuid',
    eventType: 'text',
    head: nullable('text'),
    payload: 'text',
  },
);

/** Returns an envelope that was sent and not acknowledged. $1 space, $2 bot, $3 id */
export const FIND_ENVELOPE = statement(
  'bots.find_envelope',
  `SELECT r.event_id AS "eventId", r.event_type AS "eventType", r.payload FROM socket_envelopes e CROSS JOIN LATERAL poll_record($1, $2, e.record_id) r
    WHERE e.space_id = $1 AND e.bot_id = $2 AND e.record_id = $3::bigint AND e.attempt > 0`,
  { eventId: 'uuid', eventType: 'text', payload: 'text' },
);

/** Extends the lease of an envelope. $1 space, $2 bot, $3 id, $4 seconds */
export const HOLD_ENVELOPE = statement(
  'bots.hold_envelope',
  `UPDATE socket_envelopes SET due_at = statement_timestamp() + $4::float8 * interval '1 second'
    WHERE space_id = $1 AND bot_id = $2 AND record_id = $3::bigint AND state = 'sent'`,
  {},
);

/** Deletes envelopes of records out of retention. $1 smallest id within it, $2 limit */
export const EXPIRE_ENVELOPES = statement(
  'bots.expire_envelopes',
  `WITH old AS MATERIALIZED (
     SELECT space_id, bot_id, record_id FROM socket_envelopes WHERE record_id < $1::bigint ORDER BY record_id LIMIT $2 FOR UPDATE SKIP LOCKED
   )
   DELETE FROM socket_envelopes e USING old WHERE e.space_id = old.space_id AND e.bot_id = old.bot_id AND e.record_id = old.record_id RETURNING 1 AS n`,
  { n: 'int4' },
);
