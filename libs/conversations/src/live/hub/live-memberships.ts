import { microBatch } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { MEMBERSHIPS } from '../live.statements.js';
import type { LiveMemberId } from '../live-events.js';

/**
 * Answers the ids of the channels (not threads) that somebody is a member of, as of a moment after
 * the call.
 */
export type MembershipReader = (member: LiveMemberId) => Promise<string[]>;

/** Reads memberships; many people who connect at once share one statement. */
export function membershipReader(db: Db): MembershipReader {
  return microBatch(
    async (members: LiveMemberId[]) => {
      const rows = await db.query(MEMBERSHIPS, [
        members.map((m) => m.spaceId),
        members.map((m) => m.memberId),
      ]);
      const found: string[][] = members.map(() => []);
      for (const row of rows) found[row.n] = row.channel_ids;
      return found;
    },
    { maxBatch: 200, maxInFlight: 2 },
  );
}
