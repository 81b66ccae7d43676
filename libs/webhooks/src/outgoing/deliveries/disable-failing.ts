import { countDeadLetters } from '@tieline/delivery';
import type { Exhaustion, SettledDelivery, TargetKey } from '@tieline/delivery';
import type { Tx } from '@tieline/platform/database';
import { BY_SYSTEM, raiseNotice } from '@tieline/spaces';
import { IsNull } from 'typeorm';
import { OutgoingWebhook } from '../subscriptions/outgoing-webhook.entity.js';
import { publishSubscription, recordSubscriptionChange } from '../subscriptions/subscription-change.js';
import { SUBSCRIPTION_INACTIVE } from './outgoing-kind-name.js';
import { COUNT_DEAD_LETTERS } from './outgoing-deliveries.statements.js';

/**
 * Disables subscriptions that reach the threshold of consecutive dead deliveries. Admins get a
 * notice. Later events are not stored for them.
 */
export class ExhaustedSubscriptions implements Exhaustion {
  readonly entity = OutgoingWebhook;
  readonly error = SUBSCRIPTION_INACTIVE;

  constructor(private readonly threshold: number) {}

  /**
   * Counts the consecutive dead deliveries of subscriptions, in the transaction that settles a
   * batch.
   */
  count(tx: Tx, results: readonly SettledDelivery[]): Promise<void> {
    return countDeadLetters(tx, COUNT_DEAD_LETTERS, this.threshold, results);
  }

  async switchOff(tx: Tx, subject: TargetKey): Promise<void> {
    const { spaceId, id } = subject;
    const found = await tx.manager.findOneBy(OutgoingWebhook, { spaceId, id, deletedAt: IsNull() });
    if (found?.status !== 'active') return;
    const since = new Date();
    await tx.manager.update(OutgoingWebhook, { spaceId, id }, { status: 'inactive', updatedAt: since });
    await recordSubscriptionChange(tx, subject, 'outgoing_webhook.auto_disabled', BY_SYSTEM, {
      before: { status: 'active' },
      after: { status: 'inactive' },
    });
    await publishSubscription(tx, subject, null);
    await raiseNotice(tx, {
      spaceId,
      kind: 'outgoing_webhook.auto_disabled',
      objectType: 'outgoing_webhook',
      objectId: id,
      text: `Outgoing webhook "${found.name}" was disabled after ${this.threshold} consecutive failed deliveries. Events since ${since.toISOString()} are not stored and will be missing. Earlier failed deliveries are in its delivery log and can be sent again. Enable it again once its receiver works.`,
    });
  }
}
