import { statement } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { EventDeliveryMode } from '../accounts/bot-settings.js';

/** A record as it is stored. */
export interface PollRecord {
  id: string;
  eventId: string;
  eventType: string;
  payload: string;
}

/** What is asked for: records with ids greater than `after`. */
export interface PollPageRequest {
  spaceId: string;
  botId: string;
  after: string;
  limit: number;
}

/** The bot's mode at the moment of reading, and records in the order of their ids: none in another mode than `poll`. */
export interface PollPage {
  mode: EventDeliveryMode;
  records: PollRecord[];
}

const PAGE = statement(
  'bots.poll_page',
  `SELECT b.event_delivery_mode AS mode, r.id::text, r.event_id AS "eventId", r.event_type AS "eventType", r.payload
     FROM bots b LEFT JOIN LATERAL poll_page($1, $2, CASE WHEN b.event_delivery_mode = 'poll' THEN $3::bigint END, $4::int) r ON true
    WHERE b.space_id = $1 AND b.id = $2 AND b.is_active AND b.deleted_at IS NULL ORDER BY r.id`,
);

/** One page of a bot's queue, in one statement; undefined when the bot is disabled or deleted. */
export async function readPollPage(
  db: Db,
  { spaceId, botId, after, limit }: PollPageRequest,
): Promise<PollPage | undefined> {
  const rows = await db.query<{ mode: EventDeliveryMode } & ({ id: null } | PollRecord)>(PAGE, [
    spaceId,
    botId,
    after,
    limit,
  ]);
  const [first] = rows;
  return (
    first && {
      mode: first.mode,
      records: rows.filter((row): row is { mode: EventDeliveryMode } & PollRecord => row.id !== null),
    }
  );
}
