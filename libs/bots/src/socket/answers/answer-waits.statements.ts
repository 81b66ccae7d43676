import { json, statement } from '@tieline/platform/database';
import { SOCKET_LIFE_SECONDS } from '../sockets.statements.js';
import type { Outcome } from './outcome.js';

/** Inserts a row if a socket of the bot is open in any process. */
export const BEGIN_WAIT = statement(
  'answer_waits.begin',
  {
    params: {
      spaceId: 'uuid',
      id: 'uuid',
      botId: 'uuid',
      waitMs: 'float8',
    },
    columns: { n: 'int4' },
  },
  `
  INSERT INTO answer_waits (
    space_id,
    id,
    bot_id,
    waits_until
  )
  SELECT
    :spaceId,
    :id,
    :botId,
    clock_timestamp() + :waitMs::float8 * interval '1 millisecond'
  WHERE EXISTS (
    SELECT 1
    FROM bot_sockets
    WHERE space_id = :spaceId
      AND bot_id = :botId
      AND seen_at > statement_timestamp() - interval '${SOCKET_LIFE_SECONDS} seconds'
  )
  ON CONFLICT (space_id, id) DO UPDATE
  SET waits_until = excluded.waits_until
  RETURNING 1 AS n
  `,
);

/**
 * Locks the row until the end of the transaction, so that the waiting request does not time out in
 * between. $1 space, $2 event, $3 outcome
 */
export const SETTLE_WAIT = statement(
  'answer_waits.settle',
  `UPDATE answer_waits SET outcome = $3::jsonb WHERE space_id = $1 AND id = $2 AND outcome IS NULL AND waits_until > statement_timestamp() RETURNING 1 AS n`,
  { n: 'int4' },
);

/** $1 space, $2 event */
export const FAIL_WAIT = statement(
  'answer_waits.fail',
  `UPDATE answer_waits w SET outcome = jsonb_build_object('kind', 'failed', 'botName',
          coalesce((SELECT b.display_name FROM bots b WHERE b.space_id = w.space_id AND b.id = w.bot_id), ''))
    WHERE w.space_id = $1 AND w.id = $2 AND w.outcome IS NULL RETURNING 1 AS n`,
  { n: 'int4' },
);

/** Takes the outcome, once. $1 space, $2 event */
export const TAKE_OUTCOME = statement(
  'answer_waits.take_outcome',
  'DELETE FROM answer_waits WHERE space_id = $1 AND id = $2 AND outcome IS NOT NULL RETURNING outcome',
  { outcome: json<Outcome>() },
);

/** Ends a wait. Waits for a transaction that is settling it. $1 space, $2 event */
export const GIVE_UP_WAIT = statement(
  'answer_waits.end',
  'DELETE FROM answer_waits WHERE space_id = $1 AND id = $2 AND outcome IS NULL RETURNING 1 AS n',
  { n: 'int4' },
);

/** Deletes waits of processes that ended. */
export const DROP_OLD_WAITS = statement(
  'answer_waits.drop_old',
  `DELETE FROM answer_waits WHERE waits_until < statement_timestamp() - interval '1 minute'`,
  {},
);
