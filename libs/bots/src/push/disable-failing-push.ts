import type { Tx } from '@tieline/platform/database';
import { countDeadLetters } from '@tieline/delivery';
import type { Exhaustion, SettledDelivery, TargetKey } from '@tieline/delivery';
import { BY_SYSTEM, raiseNotice } from '@tieline/spaces';
import { appendBotChanged } from '../accounts/bot-changed.js';
import { Bot } from '../accounts/bot.entity.js';
import { recordBotChange } from '../accounts/record-bot-change.js';
import { SUBSCRIPTION_INACTIVE } from './push-kind-name.js';
import { COUNT_PUSH_FAILURES } from './push.statements.js';

/**
 * Disables a bot's push after too many consecutive failures: the mode becomes `none`, admins get a
 * notice, and later events are not kept (docs/push.md#automatic-deactivation).
 */
export class ExhaustedPushes implements Exhaustion {
  readonly entity = Bot;
  readonly error = SUBSCRIPTION_INACTIVE;

  constructor(private readonly threshold: number) {}

  /** Counts consecutive failed deliveries of bots, in the transaction that settles a batch. */
  count(tx: Tx, results: readonly SettledDelivery[]): Promise<void> {
    return countDeadLetters(tx, COUNT_PUSH_FAILURES, this.threshold, results);
  }

  async switchOff(tx: Tx, { spaceId, id }: TargetKey): Promise<void> {
    const bot = await tx.manager.findOneBy(Bot, { spaceId, id });
    if (!bot || bot.deletedAt || bot.eventDeliveryMode !== 'webhook') return;
    const after: Bot = { ...bot, eventDeliveryMode: 'none', updatedAt: new Date() };
    await tx.manager.update(
      Bot,
      { spaceId, id },
      { eventDeliveryMode: after.eventDeliveryMode, updatedAt: after.updatedAt },
    );
    await recordBotChange(tx, bot, {
      action: 'bot.push_auto_disabled',
      origin: BY_SYSTEM,
      settings: { before: bot, after },
    });
    await appendBotChanged(tx, after);
    await raiseNotice(tx, {
      spaceId,
      kind: 'bot.push_auto_disabled',
      objectType: 'bot',
      objectId: id,
      text: `The webhook of bot "${bot.displayName}" was disabled after ${this.threshold} consecutive failed deliveries. Events since ${after.updatedAt.toISOString()} are lost. Set event_delivery_mode to webhook again once its receiver works.`,
    });
  }
}
