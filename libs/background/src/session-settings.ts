import type pg from 'pg';

/** Server settings for one session; in milliseconds unless the setting counts in seconds. */
export type SessionSettings = Readonly<Record<string, string | number>>;

/**
 * Applies the settings with a statement. PgBouncer would reject most of them as connection
 * parameters.
 */
export async function applySettings(client: pg.ClientBase, settings: SessionSettings): Promise<void> {
  const sets = Object.entries(settings).map(([name, value]) => `SET ${name} = '${value}'`);
  await client.query(sets.join('; '));
}

/**
 * The server ends a session after six seconds of silence, and a connection whose other end is gone.
 * Its locks and transactions are released even if the holder is frozen, disconnected or switched
 * off.
 */
export const SHORT_SESSION_TIMEOUTS: SessionSettings = {
  idle_session_timeout: 6_000,
  tcp_user_timeout: 6_000,
  tcp_keepalives_idle: 3,
  tcp_keepalives_interval: 1,
  tcp_keepalives_count: 3,
};
