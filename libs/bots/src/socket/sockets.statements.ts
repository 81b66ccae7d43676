import { statement } from '@tieline/platform/database';

/** Lifetime of a socket's row. After three failed confirmations, its process is considered dead. */
export const SOCKET_LIFE_SECONDS = 20;
/** A row of `bot_sockets` that is alive. */
export const IS_OPEN_SOCKET = `seen_at > statement_timestamp() - interval '${SOCKET_LIFE_SECONDS} seconds'`;

/** $1 space, $2 bot */
export const COUNT_SOCKETS = statement(
  'bot_sockets.count',
  `SELECT count(*)::int4 AS open FROM bot_sockets WHERE space_id = $1 AND bot_id = $2 AND ${IS_OPEN_SOCKET}`,
  { open: 'int4' },
);

/** Registers sockets and confirms that they are open. $1 spaces, $2 bots, $3 connections */
export const CONFIRM_SOCKETS = statement(
  'bot_sockets.confirm',
  `INSERT INTO bot_sockets (space_id, bot_id, connection_id) SELECT s, b, c FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS t(s, b, c) ORDER BY 1, 2, 3
   ON CONFLICT (space_id, bot_id, connection_id) DO UPDATE SET seen_at = clock_timestamp()`,
  {},
);

/** $1 space, $2 bot, $3 connection */
export const REMOVE_SOCKET = statement(
  'bot_sockets.remove',
  'DELETE FROM bot_sockets WHERE space_id = $1 AND bot_id = $2 AND connection_id = $3',
  {},
);

/** Deletes sockets of processes that ended without cleanup. */
export const DROP_DEAD_SOCKETS = statement(
  'bot_sockets.drop_dead',
  `DELETE FROM bot_sockets WHERE seen_at < statement_timestamp() - interval '1 hour'`,
  {},
);

/** Returns a row if the token is that of an active bot in an inactive space. $1 hash */
export const FIND_BOT_OF_INACTIVE_SPACE = statement(
  'bots.find_of_inactive_space',
  `SELECT 1 AS n FROM bots b JOIN spaces s ON s.id = b.space_id
    WHERE b.token_hash = $1 AND b.is_active AND b.deleted_at IS NULL AND NOT s.is_active`,
  { n: 'int4' },
);
