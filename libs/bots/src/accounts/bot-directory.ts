import { statement } from '@tieline/platform/database';
import type { Queryable } from '@tieline/platform/database';
import { registerBotReach, registerMemberLookup } from '@tieline/conversations';

const ACTIVE_BOTS = statement(
  'bots.active_bots',
  'SELECT id FROM bots WHERE space_id = $1 AND id = ANY($2::uuid[]) AND is_active AND deleted_at IS NULL',
);
const REACH_OF_BOT = statement(
  'bots.reach_of_bot',
  'SELECT channel_ids FROM bots WHERE space_id = $1 AND id = $2',
);

/** Which of these ids are bots of the space that are neither disabled nor deleted: who can be mentioned, added, written to. */
export async function findActiveBots(q: Queryable, spaceId: string, ids: string[]): Promise<string[]> {
  const rows = await q.query<{ id: string }>(ACTIVE_BOTS, [spaceId, ids]);
  return rows.map(({ id }) => id);
}

/** The channels that a bot's reading is narrowed to; empty = all. */
async function reachOfBot(q: Queryable, spaceId: string, botId: string): Promise<string[]> {
  const [row] = await q.query<{ channel_ids: string[] }>(REACH_OF_BOT, [spaceId, botId]);
  return row?.channel_ids ?? [];
}

// The chat core lies below and cannot import this lib: it is told here how to find bots.
registerMemberLookup('bot', findActiveBots);
registerBotReach(reachOfBot);
