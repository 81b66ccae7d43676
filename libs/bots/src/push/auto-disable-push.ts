import type { Tx } from '@tieline/platform/database';
import { killPending } from '@tieline/delivery';
import { raiseNotice } from '@tieline/spaces';
import type { Origin } from '@tieline/spaces';
import { appendBotChanged } from '../accounts/bot-changed.js';
import { Bot } from '../accounts/bot.entity.js';
import { recordBotChange } from '../accounts/record-bot-change.js';
import { PUSH, SUBSCRIPTION_INACTIVE } from './push-kind-name.js';

/** Origin of what the product does by itself. */
const SYSTEM: Origin = { actorId: null, actorType: 'system', ip: null };

/**
 * Ends the push to a bot whose webhook has failed too often in a row: its mode becomes `none` (contract, "Other lifecycles"), admins
 * get a notice, what is pending dies, and what happens from now on is not kept for it. The caller holds the bot's row lock.
 */
export async function autoDisablePush(
  tx: Tx,
  { spaceId, id }: { spaceId: string; id: string },
  threshold: number,
): Promise<void> {
  const bot = await tx.manager.findOneByOrFail(Bot, { spaceId, id });
  const after: Bot = { ...bot, eventDeliveryMode: 'none', updatedAt: new Date() };
  await tx.manager.update(
    Bot,
    { spaceId, id },
    { eventDeliveryMode: after.eventDeliveryMode, updatedAt: after.updatedAt },
  );
  await recordBotChange(tx, bot, {
    action: 'bot.push_auto_disabled',
    origin: SYSTEM,
    settings: { before: bot, after },
  });
  await appendBotChanged(tx, after);
  await killPending(tx, { kind: PUSH, targetId: id, error: SUBSCRIPTION_INACTIVE });
  await raiseNotice(tx, {
    spaceId,
    kind: 'bot.push_auto_disabled',
    objectType: 'bot',
    objectId: id,
    text: `The webhook of bot "${bot.displayName}" was switched off after ${threshold} consecutive failed deliveries. Set event_delivery_mode to webhook again when its receiver works.`,
  });
}
