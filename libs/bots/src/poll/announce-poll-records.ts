import type { Bus } from '@tieline/live';

/** The bus channel of {@link PollAnnouncement}s. */
export const POLL_CHANNEL = 'poll';

/** A hint that there is something in queues; the truth is in the table. */
export interface PollAnnouncement {
  /** Ids of bots that got records; absent: any bot may have. */
  bots?: string[];
}

/** Keeps a hint well within one notification of Postgres. */
const BOTS_PER_ANNOUNCEMENT = 100;

/** Ends the waiting of these bots' long polls, in every api process. After the commit, never inside a transaction; never throws. */
export function announcePollRecords(bus: Bus, botIds: Iterable<string>): void {
  const bots = [...new Set(botIds)];
  for (let start = 0; start < bots.length; start += BOTS_PER_ANNOUNCEMENT) {
    const announcement: PollAnnouncement = { bots: bots.slice(start, start + BOTS_PER_ANNOUNCEMENT) };
    bus.publish(POLL_CHANNEL, announcement);
  }
}

/** Ends the waiting of every long poll: for a planner that took over from another, whose last announcements may be lost. */
export function announcePollGap(bus: Bus): void {
  bus.publish(POLL_CHANNEL, {} satisfies PollAnnouncement);
}
