import { discoverMigrations } from '@tieline/platform/database';
import type { Migration } from '@tieline/platform/database';
import { hashToken, newSigningSecret, newToken, SecretBox } from '@tieline/signing';
import { TEST_ENVIRONMENT } from '@tieline/testing';
import type pg from 'pg';
import { uuidv7 } from 'uuidv7';

/** The migrations of release 0.1.0, mapped from today's names to the names of that release. */
const MIGRATIONS: readonly [now: string, then?: string][] = [
  ['rate-limit/0001-rate-counters', 'platform/0001-rate-counters'],
  ['delivery/0001-outbox'],
  ['delivery/0002-delivery'],
  ['delivery/0003-attempt-headers'],
  ['idempotency/0004-idempotency-keys', 'platform/0004-idempotency-keys'],
  ['spaces/0001-spaces'],
  ['conversations/0001-conversations'],
  ['conversations/0002-presence'],
  ['conversations/0003-notifications'],
  ['webhooks/0001-outgoing-webhooks'],
  ['webhooks/0002-incoming-webhooks'],
  ['bots/0001-bots'],
  ['bots/0002-poll-queue'],
  ['bots/0003-dm-inbox'],
  ['bots/0004-event-plans'],
  ['bots/0005-poll-page'],
  ['files/0001-files'],
  ['interactive/0001-interactive'],
  ['interactive/0002-interactions'],
  ['slash/0001-slash'],
  ['slash/0002-polls'],
  ['slash/0003-reminders'],
  ['agent-runs/0001-agent-runs'],
  ['execution-tasks/0001-execution-tasks'],
];

/**
 * Returns the migrations that `migrate` of 0.1.0 applied. Released migrations never change, so
 * today's files are identical.
 */
export async function migrationsOfRelease(): Promise<Migration[]> {
  const known = new Map((await discoverMigrations()).map((one) => [`${one.lib}/${one.name}`, one]));
  return MIGRATIONS.map(([now, then = now]) => {
    const [lib, name] = then.split('/') as [string, string];
    return { ...known.get(now)!, lib, name };
  });
}

const ids = {
  space: '0190d5e0-0000-7000-8000-000000000001',
  owner: '0190d5e0-0000-7000-8000-000000000002',
  bot: '0190d5e0-0000-7000-8000-000000000003',
  channel: '0190d5e0-0000-7000-8000-000000000004',
  subscription: '0190d5e0-0000-7000-8000-000000000005',
  incoming: '0190d5e0-0000-7000-8000-000000000006',
};

/** Number of messages in the channel and of records in the bot's queue. */
export const MESSAGES = 300;
/** Payload and signature of a pending delivery. */
export const WAITING = {
  body: '{"event_type": "MESSAGE_CREATED",  "data": {"text": "before the upgrade"}}',
  headers: { 'content-type': 'application/json', 'x-service-signature': 'made-by-0.1.0' },
};

/**
 * Fills a database like a space in use when the processes of 0.1.0 were stopped: one delivery is
 * pending, one failed permanently. @param url of the subscription
 */
export async function fillAsRelease(sql: pg.Pool, url: string) {
  const tokens = { owner: newToken('tlu_'), bot: newToken('tlb_'), incoming: newToken() };
  const secret = newSigningSecret();
  const box = new SecretBox(Buffer.from(TEST_ENVIRONMENT.SECRET_KEY, 'base64'));
  const { space, owner, bot, channel, subscription, incoming } = ids;
  // The log is kept for a month.
  const [delivery, event] = [uuidv7(), uuidv7()];
  const config = {
    id: subscription,
    eventTypes: ['MESSAGE_CREATED'],
    channelIds: [],
    trigger: 'all',
    triggerConfig: {},
    includeContext: false,
    contextSize: 10,
  };
  const rows: [string, unknown[]][] = [
    [`INSERT INTO spaces (id, name, plan) VALUES ($1, 'Acme', 'pro')`, [space]],
    [
      `INSERT INTO users (space_id, id, display_name, role, token_hash) VALUES ($1, $2, 'Ann', 'owner', $3)`,
      [space, owner, hashToken(tokens.owner)],
    ],
    [
      `INSERT INTO bots (space_id, id, display_name, event_types, event_delivery_mode, webhook_secret, token_hash)
       VALUES ($1, $2, 'Deployer', '{MESSAGE_CREATED}', 'poll', $3, $4)`,
      [space, bot, box.seal(newSigningSecret(), `bot-webhook:${bot}`), hashToken(tokens.bot)],
    ],
    [
      `INSERT INTO bot_plans (space_id, id, config) VALUES ($1, $2, $3)`,
      [space, bot, { id: bot, eventTypes: ['MESSAGE_CREATED'], channelIds: [], mode: 'poll' }],
    ],
    [
      `INSERT INTO conversations (space_id, id, type, scope, name, created_by, bot_ids, last_msg_index, last_changed_at)
       VALUES ($1, $2, 'channel', 'public', 'releases', $3, ARRAY[$4::uuid], $5, now())`,
      [space, channel, owner, bot, MESSAGES],
    ],
    [
      `INSERT INTO conversation_members (space_id, conversation_id, member_id, member_type) VALUES ($1, $2, $3, 'user'), ($1, $2, $4, 'bot')`,
      [space, channel, owner, bot],
    ],
    [
      `INSERT INTO messages (space_id, id, conversation_id, msg_index, author_id, author_type, text, sent_at)
       SELECT $1, gen_random_uuid(), $2, n, $3, 'user', 'message ' || n, now() - ($4 - n) * interval '1 minute' FROM generate_series(1, $4::int) n`,
      [space, channel, owner, MESSAGES],
    ],
    [
      `INSERT INTO poll_records (space_id, bot_id, id, event_id, event_type, payload)
       SELECT $1, $2, (extract(epoch FROM m.sent_at) * 1e9)::int8, gen_random_uuid(), 'MESSAGE_CREATED', json_build_object('message_id', m.id) FROM messages m`,
      [space, bot],
    ],
    [
      `INSERT INTO outgoing_webhooks (space_id, id, name, url, event_types, channel_ids, trigger, trigger_config, include_context, context_size, status, signing_secret)
       VALUES ($1, $2, 'crm', $3, '{MESSAGE_CREATED}', '{}', 'all', '{}', false, 10, 'active', $4)`,
      [space, subscription, url, box.seal(secret, `outgoing:${subscription}`)],
    ],
    [
      `INSERT INTO outgoing_webhook_plans (space_id, id, config) VALUES ($1, $2, $3)`,
      [space, subscription, config],
    ],
    [
      `INSERT INTO incoming_webhooks (space_id, id, name, conversation_id, require_signature, default_push, avatar_url, is_active, token_hash, signing_secret)
       VALUES ($1, $2, 'alerts', $3, false, false, '', true, $4, $5)`,
      [
        space,
        incoming,
        channel,
        hashToken(tokens.incoming),
        box.seal(newSigningSecret(), `incoming:${incoming}`),
      ],
    ],
    [
      `INSERT INTO delivery_payloads (id, space_id, body) VALUES ($1, $2, $3)`,
      [delivery, space, Buffer.from(WAITING.body)],
    ],
    [
      `INSERT INTO deliveries (id, space_id, kind, target_id, event_id, event_type, payload_id, headers) VALUES ($1, $2, 'outgoing', $3, $4, 'MESSAGE_CREATED', $1, $5)`,
      [delivery, space, subscription, event, JSON.stringify(WAITING.headers)],
    ],
    [
      `INSERT INTO delivery_queue (id, space_id, kind, target_id, max_attempts) VALUES ($1, $2, 'outgoing', $3, 8)`,
      [delivery, space, subscription],
    ],
    [
      `INSERT INTO deliveries (id, space_id, kind, target_id, event_id, event_type, payload_id, headers, status, attempts, error, finished_at)
       VALUES ($5, $1, 'outgoing', $2, $3, 'MESSAGE_CREATED', $4, '{}', 'dead', 8, 'timeout', now())`,
      [space, subscription, event, delivery, uuidv7()],
    ],
  ];
  for (const [text, params] of rows) await sql.query(text, params);
  return { ...ids, tokens, secret };
}
