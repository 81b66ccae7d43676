import type { TargetKey } from '@tieline/delivery';
import type { Tx } from '@tieline/platform/database';
import { raiseNotice } from '@tieline/spaces';
import { IsNull } from 'typeorm';
import { Bot } from '../accounts/bot.entity.js';
import { isPushed } from './end-push.js';

/**
 * Notifies the admins that a bot's webhook has been failing for 15 minutes. Does nothing if its
 * push is disabled.
 */
export async function notifyUnreachable(tx: Tx, { spaceId, id }: TargetKey): Promise<void> {
  const bot = await tx.manager.findOneBy(Bot, { spaceId, id, deletedAt: IsNull() });
  if (!bot || !isPushed(bot)) return;
  await raiseNotice(tx, {
    spaceId,
    kind: 'bot.push_unreachable',
    objectType: 'bot',
    objectId: id,
    text: `The webhook of bot "${bot.displayName}" has been failing for 15 minutes. Events wait for up to ${bot.retryProfile === 'extended' ? 72 : 24} hours and are sent once an attempt succeeds.`,
  });
}
