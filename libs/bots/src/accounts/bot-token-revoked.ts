import { appendOutbox } from '@tieline/delivery';
import type { Tx } from '@tieline/platform/database';
import type { Origin } from '@tieline/spaces';
import { uuidv7 } from 'uuidv7';
import type { Bot } from './bot.entity.js';

/** Outbox type of {@link BotTokenRevoked}. */
export const BOT_TOKEN_REVOKED = 'bot.token_revoked';

/** Outbox payload: an admin replaced the token of an app's bot. */
export interface BotTokenRevoked {
  bot_id: string;
  installation_id: string;
  /** The admin. */
  actor_user_id: string;
  /** RFC 3339 with nanoseconds. */
  occurred_at: string;
}

/** Tells the app of a bot that the bot's token is revoked. Does nothing for other bots. */
export async function appendBotTokenRevoked(
  tx: Tx,
  { spaceId, id, installationId }: Pick<Bot, 'spaceId' | 'id' | 'installationId'>,
  { actorId }: Origin,
): Promise<void> {
  if (installationId === null) return;
  const payload: BotTokenRevoked = {
    bot_id: id,
    installation_id: installationId,
    actor_user_id: actorId ?? '',
    occurred_at: new Date().toISOString().replace('Z', '000000Z'),
  };
  await appendOutbox(tx, { eventId: uuidv7(), spaceId, type: BOT_TOKEN_REVOKED, payload });
}
