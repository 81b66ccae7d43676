import { microBatch, unprepared } from '@tieline/platform/database';
import type { Db, RowOf } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { DM_INBOX_NEXT, DM_INBOX_RESUME, DM_INBOX_START } from './dm-inbox.statements.js';
import type { DmMessage } from './dm-message.view.js';

/** Whose inbox. */
export type InboxOwner = Pick<BotPrincipal, 'spaceId' | 'botId'>;

/** One place of an inbox. */
export interface InboxEntry {
  position: number;
  /** Absent when it is no longer to be delivered: deleted meanwhile, or too old. */
  message?: DmMessage;
}

/** How much of an inbox is kept, and for how long. */
export interface InboxLimits {
  /** Messages that wait for a bot without a stream: the newest ones. */
  limit: number;
  ttlHours: number;
}

// Two statements at a time, each for this many streams: even the longest texts stay within tens of
// megabytes.
const BATCH = { maxBatch: 200, maxInFlight: 2 };

type NextRow = RowOf<typeof DM_INBOX_NEXT>;

/** Reads inboxes; streams that read at the same time share statements. */
export class DmInbox {
  /**
   * Where a new stream starts reading: after what the bot has received, or later when more is
   * waiting than is kept.
   */
  readonly start: (owner: InboxOwner) => Promise<number>;
  /**
   * The next `PAGE` entries after a position, with the messages as they are now. Fewer than that
   * means that there are no more.
   */
  readonly next: (place: InboxOwner & { after: number }) => Promise<InboxEntry[]>;
  private readonly limit: number;

  constructor(
    private readonly db: Db,
    { limit, ttlHours }: InboxLimits,
  ) {
    this.limit = limit;
    this.start = microBatch(async (owners: InboxOwner[]) => {
      const rows = await db.query(DM_INBOX_START, [...columnsOf(owners), limit]);
      const positions = owners.map(() => 0);
      for (const { n, position } of rows) positions[n] = position;
      return positions;
    }, BATCH);
    this.next = microBatch(async (places: (InboxOwner & { after: number })[]) => {
      const rows = await db.query(unprepared(DM_INBOX_NEXT), [
        ...columnsOf(places),
        places.map(({ after }) => after),
        ttlHours,
      ]);
      const entries: InboxEntry[][] = places.map(() => []);
      for (const row of rows) entries[row.n]?.push(entryOf(row));
      return entries;
    }, BATCH);
  }

  /**
   * Where a stream goes on whose reader names the last entry it got. Back to that when the network
   * has taken more than the reader has; on to that when the bot's position is not stored yet. What
   * is no entry of the bot's leads nowhere further.
   * @param start where the stream would begin otherwise
   */
  async resume({ spaceId, botId }: InboxOwner, start: number, last: number): Promise<number> {
    const [row] = await this.db.query(DM_INBOX_RESUME, [spaceId, botId, last, this.limit]);
    if (!row) return start;
    return last > start && row.known ? last : Math.min(row.position, start);
  }
}

function columnsOf(owners: InboxOwner[]): [string[], string[]] {
  return [owners.map(({ spaceId }) => spaceId), owners.map(({ botId }) => botId)];
}

function entryOf({ n: _, position, ...message }: NextRow): InboxEntry {
  return message.messageId === null ? { position } : { position, message: message as DmMessage };
}
