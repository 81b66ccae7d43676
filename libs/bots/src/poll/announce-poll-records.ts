import type { Bus } from '@tieline/live';

/** The bus channel of {@link PollAnnouncement}s. */
export const POLL_CHANNEL = 'poll';

/** A hint that queues have new records. The records themselves are in the table. */
export interface PollAnnouncement {
  /** Bots that got records; absent if any bot may have. */
  bots?: string[];
}

/** Keeps a hint within the size limit of a Postgres notification. */
const BOTS_PER_ANNOUNCEMENT = 100;

/**
 * Wakes the long polls of these bots in every api process. Call it after the commit; never throws.
 */
export function announcePollRecords(bus: Bus, botIds: Iterable<string>): void {
  const bots = [...new Set(botIds)];
  for (let start = 0; start < bots.length; start += BOTS_PER_ANNOUNCEMENT) {
    const announcement: PollAnnouncement = { bots: bots.slice(start, start + BOTS_PER_ANNOUNCEMENT) };
    bus.publish(POLL_CHANNEL, announcement);
  }
}

/**
 * Wakes every long poll. A planner calls it when it takes over, because it does not know what its
 * predecessor announced.
 */
export function announcePollGap(bus: Bus): void {
  bus.publish(POLL_CHANNEL, {} satisfies PollAnnouncement);
}
