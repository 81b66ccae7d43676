import type { Bus } from '@tieline/live';
import type { NewDmInboxEntry } from './write-dm-inbox.js';

/** The bus channel of {@link DmAnnouncement}s. */
export const DM_CHANNEL = 'dm';

/** A hint that inboxes have new messages. The messages themselves are in the table. */
export interface DmAnnouncement {
  /** Ids of bots that got messages. */
  bots?: string[];
  /** Set if messages may have been written without an announcement. */
  gap?: true;
}

/** Keeps a hint well below the size limit of a Postgres notification. */
const BOTS_PER_ANNOUNCEMENT = 100;

/**
 * Wakes the DM streams of these bots in every api process. Call it after the commit, never inside a
 * transaction. Never throws.
 */
export function announceDms(bus: Bus, entries: readonly Pick<NewDmInboxEntry, 'botId'>[]): void {
  const botIds = [...new Set(entries.map(({ botId }) => botId))];
  for (let start = 0; start < botIds.length; start += BOTS_PER_ANNOUNCEMENT) {
    publish(bus, { bots: botIds.slice(start, start + BOTS_PER_ANNOUNCEMENT) });
  }
}

/**
 * Wakes every DM stream. A planner calls it when it takes over, because its predecessor's last
 * announcements may be lost.
 */
export function announceDmGap(bus: Bus): void {
  publish(bus, { gap: true });
}

function publish(bus: Bus, announcement: DmAnnouncement): void {
  bus.publish(DM_CHANNEL, announcement);
}
