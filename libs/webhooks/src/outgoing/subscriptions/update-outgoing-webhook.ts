import { Injectable } from '@nestjs/common';
import { closeBreaker } from '@tieline/delivery';
import { MemberDirectory } from '@tieline/conversations';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { changesOf } from '@tieline/platform/resource';
import { EgressPolicy } from '@tieline/egress';
import type { ActingAdmin, Origin } from '@tieline/spaces';
import { killSubscriptionDeliveries } from '../deliveries/kill-subscription-deliveries.js';
import { OutgoingWebhook } from './outgoing-webhook.entity.js';
import { lockSubscription } from './outgoing-webhooks.queries.js';
import { requireReferences } from './settings/require-references.js';
import { publishSubscription, recordSubscriptionChange } from './subscription-change.js';
import { applySettings, configOf } from './settings/subscription-settings.js';
import type { SettingsInput, SubscriptionSettings } from './subscription.js';
import { checkSubscriptionUrl } from './settings/subscription-url.js';

/** Updates settings of subscriptions. */
@Injectable()
export class UpdateOutgoingWebhook {
  constructor(
    private readonly db: Db,
    private readonly egress: EgressPolicy,
    private readonly members: MemberDirectory,
  ) {}

  /**
   * Updates the given settings. Disabling a subscription closes its pending deliveries as dead.
   * Enabling it resets its failure count; it does not receive events that happened in between.
   * `status: active` closes the breaker, even if the subscription is already active.
   * @throws 404
   * @throws 400 as on creation
   */
  async run({ spaceId, origin }: ActingAdmin, id: string, given: SettingsInput): Promise<OutgoingWebhook> {
    if (given.url !== undefined) await checkSubscriptionUrl(this.egress, given.url);
    return runInTx(
      this.db,
      async (tx) => {
        const row = await lockSubscription(tx, spaceId, id);
        // Even if it is already active: the admin states that the receiver works again.
        if (given.status === 'active') await closeBreaker(tx, { spaceId, targetId: id });
        const changed = changesOf<SubscriptionSettings>(row, applySettings(row, given));
        if (Object.keys(changed).length === 0) return row;
        await requireReferences(tx, this.members, spaceId, changed);
        return writeChange(tx, row, changed, origin);
      },
      { spaceId, place: id },
    );
  }
}

/** The caller holds the row's lock. */
async function writeChange(
  tx: Tx,
  row: OutgoingWebhook,
  changed: Partial<SubscriptionSettings>,
  origin: Origin,
): Promise<OutgoingWebhook> {
  const update = {
    ...changed,
    updatedAt: new Date(),
    ...(changed.status === 'active' ? { consecutiveDead: 0, exhaustedAt: null } : {}),
  };
  await tx.manager.update(OutgoingWebhook, { spaceId: row.spaceId, id: row.id }, update);
  const after = { ...row, ...update };
  await recordSubscriptionChange(tx, row, 'outgoing_webhook.updated', origin, {
    before: row,
    after: changed,
  });
  await publishSubscription(tx, row, configOf(after));
  if (changed.status === 'inactive') await killSubscriptionDeliveries(tx, row);
  return after;
}
