import type { Tx } from '@tieline/platform/database';
import { countDeadLetters, killPending } from '@tieline/delivery';
import type { SettledDelivery } from '@tieline/delivery';
import { raiseNotice } from '@tieline/spaces';
import type { Origin } from '@tieline/spaces';
import { appendBotChanged } from '../accounts/bot-changed.js';
import { Bot } from '../accounts/bot.entity.js';
import { recordBotChange } from '../accounts/record-bot-change.js';
import { PUSH, SUBSCRIPTION_INACTIVE } from './push-kind-name.js';
import { COUNT_PUSH_FAILURES } from './push.statements.js';

/** The origin of changes that the product makes itself. */
const SYSTEM: Origin = { actorId: null, actorType: 'system', ip: null };

/** Counts the consecutive failed deliveries of bots, inside the transaction that settles a batch, and ends the push of those that reached the threshold. */
export async function disableFailingPush(
  tx: Tx,
  threshold: number,
  results: readonly SettledDelivery[],
): Promise<void> {
  for (const subject of await countDeadLetters(tx, COUNT_PUSH_FAILURES, threshold, results))
    await disable(tx, subject, threshold);
}

/**
 * The bot's mode becomes `none` (contract, "Other lifecycles"), admins get a notice, pending deliveries die, later events are not
 * kept. The caller holds the bot's row lock.
 */
async function disable(
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
