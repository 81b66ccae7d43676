import { microBatch } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { MEMBERSHIPS } from '../live.statements.js';
import type { LiveMemberId } from '../live-events.js';

/**
 * Returns the ids of the channels (not threads) that a person or bot is a member of, as of some
 * moment after the call.
 */
export type MembershipReader = (member: LiveMemberId) => Promise<string[]>;

/** Creates a reader that batches concurrent reads into one statement. */
export function membershipReader(db: Db): MembershipReader {
  return microBatch(
    async (members: LiveMemberId[]) => {
      const rows = await db.query(MEMBERSHIPS, [
        members.map((m) => m.spaceId),
        members.map((m) => m.memberId),
      ]);
      const found: string[][] = members.map(() => []);
      for (const row of rows) found[row.n] = row.channelIds;
      return found;
    },
    { maxBatch: 200, maxInFlight: 2 },
  );
}
