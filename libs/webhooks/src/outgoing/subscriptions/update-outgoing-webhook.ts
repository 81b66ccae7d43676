import { closeBreaker } from '@tieline/delivery';
import type { MemberDirectory } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import type { EgressPolicy } from '@tieline/egress';
import type { Origin } from '@tieline/spaces';
import { killSubscriptionDeliveries } from '../deliveries/kill-subscription-deliveries.js';
import { OutgoingWebhook } from './outgoing-webhook.entity.js';
import { lockSubscription } from './outgoing-webhooks.queries.js';
import { requireReferences } from './settings/require-references.js';
import { publishSubscription, recordSubscriptionChange } from './subscription-change.js';
import { applySettings, configOf, changedSettings, settingsOf } from './settings/subscription-settings.js';
import type { SettingsInput, SubscriptionSettings } from './settings/subscription-settings.js';
import { checkSubscriptionUrl } from './settings/subscription-url.js';

/**
 * Updates the given settings. Disabling a subscription closes its pending deliveries as dead.
 * Enabling it resets its failure count; it does not receive events that happened in between.
 * `status: active` closes the breaker, even if the subscription is already active.
 * @throws 404
 * @throws 400 as on creation
 */
export async function updateOutgoingWebhook(
  { db, egress, members }: { db: Db; egress: EgressPolicy; members: MemberDirectory },
  spaceId: string,
  id: string,
  given: SettingsInput,
  origin: Origin,
): Promise<OutgoingWebhook> {
  if (given.url !== undefined) await checkSubscriptionUrl(egress, given.url);
  return runInTx(
    db,
    async (tx) => {
      const row = await lockSubscription(tx, spaceId, id);
      // Even if it is already active: the admin states that the receiver works again.
      if (given.status === 'active') await closeBreaker(tx, { spaceId, targetId: id });
      const changed = changedSettings(settingsOf(row), applySettings(row, given));
      if (Object.keys(changed).length === 0) return row;
      await requireReferences(tx, members, spaceId, changed);
      return writeChange(tx, row, changed, origin);
    },
    { spaceId, place: id },
  );
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
