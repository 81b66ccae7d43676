import type { Bus } from '@tieline/live';

/** The bus channel of {@link PollAnnouncement}s. */
export const POLL_CHANNEL = 'poll';

/** A hint to look into the queues; what is in them is in the table alone. */
export interface PollAnnouncement {
  /** Bots that got records; absent when any bot may have. */
  bots?: string[];
}

/** So that a hint fits into one notification of Postgres. */
const BOTS_PER_ANNOUNCEMENT = 100;

/**
 * Wakes the long polls of these bots, in every api process. Called after the commit; never throws.
 */
export function announcePollRecords(bus: Bus, botIds: Iterable<string>): void {
  const bots = [...new Set(botIds)];
  for (let start = 0; start < bots.length; start += BOTS_PER_ANNOUNCEMENT) {
    const announcement: PollAnnouncement = { bots: bots.slice(start, start + BOTS_PER_ANNOUNCEMENT) };
    bus.publish(POLL_CHANNEL, announcement);
  }
}

/**
 * Wakes every long poll: a planner that takes over does not know what its predecessor announced.
 */
export function announcePollGap(bus: Bus): void {
  bus.publish(POLL_CHANNEL, {} satisfies PollAnnouncement);
}
