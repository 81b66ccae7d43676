import { Injectable } from '@nestjs/common';
import { Db, microBatch, unprepared } from '@tieline/platform/database';
import type { RowOf } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { DmInboxSettings } from '../bots.settings.js';
import { READ_DM_INBOXES, FIND_RESUME_POSITION, FIND_DM_POSITIONS } from './dm-inbox.statements.js';
import type { DmMessage } from './dm-message.view.js';

/** The bot that owns an inbox. */
export type InboxOwner = Pick<BotPrincipal, 'spaceId' | 'botId'>;

/** A position in an inbox, after which entries are read. */
export interface InboxPlace extends InboxOwner {
  after: number;
}

/** An entry of an inbox. */
export interface InboxEntry {
  position: number;
  /** Absent if the message is no longer delivered: deleted in between, or too old. */
  message?: DmMessage;
}

// Two statements at a time, each for this many streams. Even with the longest texts they stay
// within tens of megabytes.
const BATCH = { maxBatch: 200, maxInFlight: 2 };

type NextRow = RowOf<typeof READ_DM_INBOXES>;

/** Reads inboxes. Concurrent reads of several streams share statements. */
@Injectable()
export class DmInbox {
  /**
   * Returns where a new stream starts to read: after what the bot has received, or later if more
   * messages wait than are kept.
   */
  readonly start: (owner: InboxOwner) => Promise<number>;
  /**
   * Returns the next `PAGE` entries after a position, with the current state of their messages.
   * Fewer entries mean that there are no more.
   */
  readonly next: (place: InboxPlace) => Promise<InboxEntry[]>;
  private readonly limit: number;

  constructor(
    private readonly db: Db,
    { limit, ttlHours }: DmInboxSettings,
  ) {
    this.limit = limit;
    this.start = microBatch(async (owners: InboxOwner[]) => {
      const rows = await db.query(FIND_DM_POSITIONS, [...columnsOf(owners), limit]);
      const positions = owners.map(() => 0);
      for (const { n, position } of rows) positions[n] = position;
      return positions;
    }, BATCH);
    this.next = microBatch(async (places: InboxPlace[]) => {
      const [spaceIds, botIds] = columnsOf(places);
      const after = places.map((place) => place.after);
      const rows = await db.query(unprepared(READ_DM_INBOXES), { spaceIds, botIds, after, ttlHours });
      const entries: InboxEntry[][] = places.map(() => []);
      for (const row of rows) entries[row.n]?.push(entryOf(row));
      return entries;
    }, BATCH);
  }

  /**
   * Returns the resume position for `Last-Event-ID`: rewinds if the client received less than the
   * network acknowledged, advances if the bot's position is not stored yet, and ignores unknown ids
   * (docs/streams.md#resume-after-a-broken-connection).
   * @param start the position without `Last-Event-ID`
   */
  async resume({ spaceId, botId }: InboxOwner, start: number, last: number): Promise<number> {
    const [row] = await this.db.query(unprepared(FIND_RESUME_POSITION), {
      spaceId,
      botId,
      last,
      limit: this.limit,
    });
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
