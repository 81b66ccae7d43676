// Rows by the hundred thousand, as a product that has run for long has them.

/** Five times as many as the largest plan allows; the planner keeps them in memory. */
const MOST_SUBSCRIPTIONS = 100_000;
/** As many as one claim looks at: at every size it looks at all of them. */
const POSTPONED_TARGETS = 400;
const PAYLOAD = JSON.stringify({ text: 'a message of the bench '.repeat(9), msg_index: 4711 });
/** Messages in each of the small spaces, of which there is one per thousand rows. */
export const SMALL = 100;
/** Rows are spread over this many seconds before now. */
const SPAN_SECONDS = 3 * 3600;

/** The moment of the n-th of $1 rows, and an id that was made then. */
const AT = `now() - interval '1 second' * (${SPAN_SECONDS} * (1 - n::float8 / $1::int))`;
const ID = `uuidv7(interval '1 second' * (-${SPAN_SECONDS} * (1 - n::float8 / $1::int)))`;
const ROWS = 'generate_series(1, $1::int) n';

/**
 * Each takes the number of rows, and then the named ones of what was made by hand.
 * @type {[text: string, names: string[]][]}
 */
const TABLES = [
  [
    `INSERT INTO messages (space_id, id, conversation_id, msg_index, author_id, author_type, text, sent_at, changed_at)
     SELECT $2, ${ID}, $3, n, $4, 'bot', 'a message of some length, as people and programs write them, rare' || n % greatest(1, $1::int / 100), ${AT},
       CASE WHEN n % 1000 = 0 THEN ${AT} + interval '1 minute' END FROM ${ROWS}`,
    ['spaceId', 'channel', 'botId'],
  ],
  [
    `UPDATE conversations SET last_msg_index = $1::int, last_changed_at = now() WHERE space_id = $2 AND id = $3`,
    ['spaceId', 'channel'],
  ],
  [
    `INSERT INTO poll_records (space_id, bot_id, id, event_id, event_type, payload)
     SELECT $2, $3, (extract(epoch FROM ${AT}) * 1e9)::int8 + n, gen_random_uuid(), 'MESSAGE_CREATED', $4 FROM ${ROWS}`,
    ['spaceId', 'pollingBot', 'payload'],
  ],
  [
    `INSERT INTO deliveries (id, space_id, kind, target_id, event_id, event_type, payload_id, headers, status, attempts, created_at, finished_at)
     SELECT id, $2, 'outgoing', $3, id, 'MESSAGE_CREATED', id, '{}', 'success', 1, now(), now() FROM (SELECT ${ID} AS id FROM ${ROWS}) ids`,
    ['spaceId', 'subscription'],
  ],
  [
    `INSERT INTO delivery_payloads (id, space_id, body) SELECT id, $2, convert_to($3, 'UTF8') FROM deliveries WHERE $1::int > 0`,
    ['spaceId', 'payload'],
  ],
  [
    `INSERT INTO delivery_attempts (delivery_id, space_id, attempt, at, status_code, duration_ms)
     SELECT id, $2, 1, now(), 200, 5 FROM deliveries WHERE $1::int > 0`,
    ['spaceId'],
  ],
  [`INSERT INTO spaces (id, name) SELECT gen_random_uuid(), 'Another' FROM ${ROWS}`, []],
  [
    `INSERT INTO users (space_id, id, display_name, email, role, token_hash)
     SELECT id, gen_random_uuid(), 'Ann', 'ann@example.com', 'owner', sha256(id::text::bytea) FROM spaces WHERE $1::int > 0 AND name = 'Another'`,
    [],
  ],
  [
    `INSERT INTO delivery_queue (id, space_id, kind, target_id, lane, due_at, max_attempts, postponed)
     SELECT ${ID}, $2, 'outgoing', ('00000000-0000-7000-8000-' || lpad(to_hex(n % ${POSTPONED_TARGETS}), 12, '0'))::uuid, 0,
       now() + interval '1 day' + n * interval '1 millisecond', 8, true FROM ${ROWS}`,
    ['another'],
  ],
  [
    `INSERT INTO notifications (space_id, user_id, id, message_id, conversation_id, kind, severity)
     SELECT $2, u.id, ${ID}, gen_random_uuid(), $3, 'in_app', 'info' FROM ${ROWS}, (SELECT id FROM users WHERE space_id = $2 LIMIT 1) u`,
    ['spaceId', 'channel'],
  ],
  [
    `INSERT INTO spaces (id, name) SELECT gen_random_uuid(), 'Small' FROM generate_series(2, $1::int / 1000)`,
    [],
  ],
  [`UPDATE spaces SET name = 'Small' WHERE id = $2 AND $1::int > 0`, ['smallSpace']],
  [
    `INSERT INTO conversations (space_id, id, type, scope, name, created_by, last_msg_index, last_changed_at)
     SELECT id, gen_random_uuid(), 'channel', 'public', 'small', gen_random_uuid(), ${SMALL}, now() FROM spaces WHERE $1::int > 0 AND name = 'Small'`,
    [],
  ],
  [
    `INSERT INTO messages (space_id, id, conversation_id, msg_index, author_id, author_type, text, sent_at, changed_at)
     SELECT c.space_id, gen_random_uuid(), c.id, n, c.created_by, 'user', 'a message of some length, as people and programs write them, rare' || n, now() - interval '1 minute' * n, NULL
     FROM conversations c, generate_series(1, ${SMALL}) n WHERE $1::int > 0 AND c.name = 'small'`,
    [],
  ],
];

/** Subscriptions of other channels, like the one that was made by hand. */
const SUBSCRIPTIONS = [
  `INSERT INTO outgoing_webhooks (space_id, id, name, url, event_types, channel_ids, trigger, trigger_config, include_context, context_size, status, signing_secret)
   SELECT space_id, gen_random_uuid(), name, url, event_types, ARRAY[gen_random_uuid()], trigger, trigger_config, include_context, context_size, status, signing_secret
     FROM outgoing_webhooks, ${ROWS} WHERE id = $2`,
  `INSERT INTO outgoing_webhook_plans (space_id, id, config)
   SELECT w.space_id, w.id, p.config || jsonb_build_object('id', w.id, 'channelIds', to_jsonb(w.channel_ids))
     FROM outgoing_webhooks w, outgoing_webhook_plans p WHERE p.id = $2 AND $1::int > 0 AND NOT EXISTS (SELECT 1 FROM outgoing_webhook_plans o WHERE o.space_id = w.space_id AND o.id = w.id)`,
];

/**
 * @param {import('pg').Client} db @param {number} size @param {Record<string, any>} made what
 * the rows belong to
 * @returns {Promise<{ pollIds: bigint[] }>} the first and last id of the queue that is polled
 */
export async function fill(db, size, made) {
  const known = { ...made, payload: PAYLOAD, another: made.botId };
  // Foreign keys and triggers are no part of what is measured.
  await db.query('SET session_replication_role = replica');
  for (const [text, names] of TABLES) await db.query(text, [size, ...names.map((name) => known[name])]);
  for (const text of SUBSCRIPTIONS)
    await db.query(text, [Math.min(size, MOST_SUBSCRIPTIONS), made.subscription]);
  await db.query('SET session_replication_role = origin');
  await db.query('VACUUM ANALYZE');
  const { rows } = await db.query('SELECT min(id)::text AS first, max(id)::text AS last FROM poll_records');
  return { pollIds: [BigInt(rows[0].first), BigInt(rows[0].last)] };
}
