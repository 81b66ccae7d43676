import type { Db, RowOf } from '@tieline/platform/database';
import type { EventDeliveryMode } from '../accounts/bot.js';
import { READ_POLL_PAGE } from './poll-queue.statements.js';

/** A stored record. */
export interface PollRecord {
  id: string;
  eventId: string;
  eventType: string;
  payload: string;
}

/** Requests records with ids greater than `after`. */
export interface PollPageRequest {
  spaceId: string;
  botId: string;
  after: string;
  limit: number;
}

/**
 * The bot's mode at the time of the read, and its records ordered by id. Empty if the mode is not
 * `poll`.
 */
export interface PollPage {
  mode: EventDeliveryMode;
  records: PollRecord[];
}

type PageRow = RowOf<typeof READ_POLL_PAGE>;

/**
 * Reads one page of a bot's queue in one statement. Returns undefined if the bot is disabled or
 * deleted.
 */
export async function readPollPage(db: Db, request: PollPageRequest): Promise<PollPage | undefined> {
  const rows = await db.query(READ_POLL_PAGE, request);
  const [first] = rows;
  return first && { mode: first.mode, records: rows.filter(isRecord) };
}

/** The columns of a record are null together if the row has none. */
function isRecord(row: PageRow): row is PageRow & PollRecord {
  return row.id !== null;
}
