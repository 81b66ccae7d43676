import { microBatch, statement } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { LiveMemberId } from './live-events.js';

/** Answers the ids of the channels (not threads) that somebody is a member of, as of a moment after the call. */
export type MembershipReader = (member: LiveMemberId) => Promise<string[]>;

const MEMBERSHIPS = statement(
  'conversations.live_memberships',
  `SELECT (wanted.n - 1)::int AS n, array_agg(m.conversation_id) AS channel_ids
     FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS wanted(space_id, member_id, n)
     JOIN conversation_members m ON m.space_id = wanted.space_id AND m.member_id = wanted.member_id
    GROUP BY wanted.n`,
);

/** Reads memberships; many people who connect at once share one statement. */
export function membershipReader(db: Db): MembershipReader {
  return microBatch(
    async (members: LiveMemberId[]) => {
      const rows = await db.query<{ n: number; channel_ids: string[] }>(MEMBERSHIPS, [
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
