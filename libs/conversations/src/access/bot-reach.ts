import type { Queryable } from '@tieline/platform/database';

/** Answers a bot's `channel_ids`: the channels that its reading is narrowed to; empty = all of them. */
export type BotReach = (q: Queryable, spaceId: string, botId: string) => Promise<string[]>;

let reach: BotReach | undefined;

/** The bots lib tells where `channel_ids` are kept. Called once, at module level. @throws Error when called twice */
export function registerBotReach(lookup: BotReach): void {
  if (reach) throw new Error('the reach of bots is registered already');
  reach = lookup;
}

/** The bot's `channel_ids`; empty = all channels. */
export async function channelIdsOfBot(q: Queryable, spaceId: string, botId: string): Promise<string[]> {
  return reach ? reach(q, spaceId, botId) : [];
}
