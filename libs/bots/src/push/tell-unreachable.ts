import type { TargetKey } from '@tieline/delivery';
import type { Tx } from '@tieline/platform/database';
import { raiseNotice } from '@tieline/spaces';
import { IsNull } from 'typeorm';
import { Bot } from '../accounts/bot.entity.js';
import { isPushed } from './end-push.js';

/**
 * Tells the admins that a bot's webhook has been failing for 15 minutes; nothing when its push is
 * switched off.
 */
export async function tellUnreachable(tx: Tx, { spaceId, id }: TargetKey): Promise<void> {
  const bot = await tx.manager.findOneBy(Bot, { spaceId, id, deletedAt: IsNull() });
  if (!bot || !isPushed(bot)) return;
  await raiseNotice(tx, {
    spaceId,
    kind: 'bot.push_unreachable',
    objectType: 'bot',
    objectId: id,
    text: `The webhook of bot "${bot.displayName}" has been failing for 15 minutes. Events wait, for ${bot.retryProfile === 'extended' ? 72 : 24} hours at most; they are sent as soon as one that is tried succeeds.`,
  });
}
