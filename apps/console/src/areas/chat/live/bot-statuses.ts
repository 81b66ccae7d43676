import type { LiveEvent } from './live-context.js';

/** What a bot is doing in a conversation or thread. */
export interface BotStatus {
  botId: string;
  conversationId: string;
  rootId?: string | undefined;
  text: string;
  /** Shown in turn next to the text. */
  loading: readonly string[];
  /** Milliseconds since 1970. */
  endsAt: number;
}

/** Longest time that a status is shown, also if the clocks of browser and server differ. */
const MAX_MS = 120_000;

/**
 * Returns the statuses after an event. Returns the same list if nothing changes.
 *
 * @param now milliseconds since 1970
 */
export function withStatus(
  statuses: readonly BotStatus[],
  event: LiveEvent,
  now: number,
): readonly BotStatus[] {
  // The server sends the statuses again when a stream opens.
  if (event.event === 'connected') return statuses.length === 0 ? statuses : [];
  if (event.event !== 'bot.status' && event.event !== 'bot.status_cleared') return statuses;
  const { conversation_id: conversationId, thread_id: rootId, bot_id: botId } = event;
  const isSame = (one: BotStatus) =>
    one.botId === botId && one.conversationId === conversationId && one.rootId === rootId;
  if (event.event === 'bot.status_cleared')
    return statuses.some(isSame) ? statuses.filter((one) => !isSame(one)) : statuses;
  const endsAt = Math.min(Date.parse(event.expires_at), now + MAX_MS);
  const status = {
    botId,
    conversationId,
    rootId,
    text: event.text,
    loading: event.loading_messages ?? [],
    endsAt,
  };
  return statuses.some(isSame) ? statuses.map((one) => (isSame(one) ? status : one)) : [...statuses, status];
}

/** Returns the statuses that have not expired. */
export const current = (statuses: readonly BotStatus[], now: number): readonly BotStatus[] =>
  statuses.every(({ endsAt }) => endsAt > now) ? statuses : statuses.filter(({ endsAt }) => endsAt > now);
