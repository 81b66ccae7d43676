import type { Tx } from '@tieline/platform/database';
import { raiseNoticeOnce } from '@tieline/spaces';
import { Bot } from '../accounts/bot.entity.js';
import { FIND_LEFT_RECORD } from './envelopes.statements.js';

/**
 * Notifies the admins that a bot did not acknowledge an event in any of its attempts, once until
 * they dismiss the notice. The caller holds the lock of the bot's queue.
 */
export async function notifyUnacknowledged(
  tx: Tx,
  { spaceId, botId }: { spaceId: string; botId: string },
  left: readonly string[],
): Promise<void> {
  const [record] = await tx.query(FIND_LEFT_RECORD, [spaceId, botId, left[0]]);
  const bot = await tx.manager.findOneBy(Bot, { spaceId, id: botId });
  if (!record || !bot) return;
  await raiseNoticeOnce(tx, {
    spaceId,
    kind: 'bot.event_unacknowledged',
    objectType: 'bot',
    objectId: botId,
    text: `Bot "${bot.displayName}" did not acknowledge ${record.eventType} ${record.eventId} over its socket after 8 attempts. It is not sent again and can only be polled.`,
  });
}
