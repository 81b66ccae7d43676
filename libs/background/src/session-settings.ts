import type pg from 'pg';

/**
 * Settings of the server for one session; times in milliseconds unless the setting counts in
 * seconds.
 */
export type SessionSettings = Readonly<Record<string, string | number>>;

/**
 * Sets them by a statement. As parameters of the connection's start they would be refused by
 * PgBouncer, which knows only a few.
 */
export async function applySettings(client: pg.ClientBase, settings: SessionSettings): Promise<void> {
  const sets = Object.entries(settings).map(([name, value]) => `SET ${name} = '${value}'`);
  await client.query(sets.join('; '));
}

/**
 * The server ends a session that says nothing for six seconds, and a connection whose other end is
 * gone: what it held (a lock, a transaction) is free again, also when its holder is frozen, cut off
 * or unplugged.
 */
export const SOON_GIVEN_UP: SessionSettings = {
  idle_session_timeout: 6_000,
  tcp_user_timeout: 6_000,
  tcp_keepalives_idle: 3,
  tcp_keepalives_interval: 1,
  tcp_keepalives_count: 3,
};
