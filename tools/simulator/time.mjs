/**
 * Moves time forward by moving every stored due time back. Clocks and existing dates stay the same.
 * What follows is the product's normal reaction to something being due.
 */

/** The due columns of each table. */
export const DUE = {
  agent_runs: ['updated_at', 'edit_due_at'],
  app_authorizations: ['expires_at'],
  approval_rules: ['expires_at'],
  approvals: ['expires_at'],
  apps: ['previous_client_secret_expires_at'],
  bot_statuses: ['expires_at'],
  bots: ['previous_secret_expires_at', 'token_expires_at'],
  component_clicks: ['expires_at'],
  delivery_queue: ['due_at'],
  delivery_targets: ['open_until', 'opened_at', 'failed_at'],
  dm_inbox: ['created_at'],
  dm_openings: ['opened_at', 'home_opened_at'],
  ephemeral_messages: ['expires_at'],
  execution_tasks: ['capability_expires_at'],
  file_removals: ['due_at', 'final_after'],
  idempotency_keys: ['created_at'],
  incoming_signatures: ['expires_at'],
  incoming_webhooks: ['previous_secret_expires_at'],
  interactions: ['expires_at'],
  interactive_configs: ['previous_secret_expires_at'],
  invites: ['expires_at'],
  message_attachments: ['check_at'],
  modals: ['expires_at', 'child_until', 'awaiting_until'],
  notices: ['post_after'],
  notification_jobs: ['due_at'],
  oauth_records: ['expires_at'],
  option_requests: ['expires_at'],
  outgoing_webhooks: ['previous_secret_expires_at'],
  reminders: ['due_at', 'next_try_at'],
  response_uses: ['expires_at'],
  scheduled_messages: ['post_at', 'next_try_at'],
  sessions: ['last_used_at', 'expires_at'],
  slash_commands: ['previous_secret_expires_at'],
  slash_triggers: ['expires_at'],
  socket_envelopes: ['due_at'],
  users: ['dnd_until'],
};

/** Leases and waits of a request that is under way: its process counts those seconds itself. */
export const UNDER_WAY = {
  answer_waits: ['waits_until'],
  delivery_queue: ['lease_until'],
  modals: ['claimed_until'],
};

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * @param {string | number} text milliseconds, or a number with a unit: `500ms`, `90s`, `15m`, `1h`,
 * `2d`; several may follow each other: `1h30m`
 * @returns {number} milliseconds
 * @throws when it is no duration
 */
export function durationOf(text) {
  if (typeof text === 'number' && text >= 0) return text;
  const parts = [...String(text).matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)];
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== text)
    throw new Error(`"${text}" is no duration; write something like 90s, 15m or 1h30m`);
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit], 0);
}

/**
 * Moves what every row waits for, one statement per table, in one transaction.
 * @param {import('pg').Pool} database
 * @param {number} milliseconds
 */
export async function advance(database, milliseconds) {
  const client = await database.connect();
  try {
    await client.query('BEGIN');
    for (const [table, columns] of Object.entries(DUE)) {
      const moved = columns.map((name) => `${name} = ${name} - $1::float8 * interval '1 millisecond'`);
      const some = columns.map((name) => `${name} IS NOT NULL`);
      await client.query(`UPDATE ${table} SET ${moved.join(', ')} WHERE ${some.join(' OR ')}`, [
        milliseconds,
      ]);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
