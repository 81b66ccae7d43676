import type { MemberDirectory } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { EgressPolicy } from '@tieline/egress';
import { newSigningSecret } from '@tieline/signing';
import type { SecretBox } from '@tieline/signing';
import { requireCapacity } from '@tieline/spaces';
import type { PlanLimit, Origin } from '@tieline/spaces';
import { v7 as uuidv7 } from 'uuid';
import { sealSecret } from './outgoing-secret.js';
import { OutgoingWebhook } from './outgoing-webhook.entity.js';
import { COUNT_SUBSCRIPTIONS } from './outgoing-webhooks.statements.js';
import { requireReferences } from './settings/require-references.js';
import { publishSubscription, recordSubscriptionChange } from './subscription-change.js';
import { applySettings, configOf, DEFAULT_SETTINGS } from './settings/subscription-settings.js';
import type { NewSubscription } from './settings/subscription-settings.js';
import { checkSubscriptionUrl } from './settings/subscription-url.js';

/** Dependencies of a creation. */
export interface CreationParts {
  db: Db;
  box: SecretBox;
  egress: EgressPolicy;
  members: MemberDirectory;
  /** Maximum number of subscriptions per space, by plan. */
  limits: PlanLimit['limits'];
}

/**
 * Creates a subscription. Returns its signing secret, which cannot be read again later.
 * @throws 400 for a refused URL, a trigger_config that does not fit the trigger, or channels or
 * people of another space
 * @throws 409 `limit_reached` when the space has as many subscriptions as its plan allows
 */
export async function createOutgoingWebhook(
  { db, box, egress, members, limits }: CreationParts,
  spaceId: string,
  given: NewSubscription,
  origin: Origin,
): Promise<{ subscription: OutgoingWebhook; signingSecret: string }> {
  const settings = applySettings(
    { ...DEFAULT_SETTINGS, name: given.name, url: given.url, eventTypes: given.eventTypes },
    given,
  );
  await checkSubscriptionUrl(egress, settings.url);
  const signingSecret = newSigningSecret();
  const id = uuidv7();
  const now = new Date();
  const row: OutgoingWebhook = {
    ...settings,
    spaceId,
    id,
    consecutiveDead: 0,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };
  await runInTx(
    db,
    async (tx) => {
      await requireCapacity(tx, spaceId, { name: 'subscriptions', limits, count: COUNT_SUBSCRIPTIONS });
      await requireReferences(tx, members, spaceId, settings);
      await tx.manager.insert(OutgoingWebhook, { ...row, signingSecret: sealSecret(box, id, signingSecret) });
      await recordSubscriptionChange(tx, row, 'outgoing_webhook.created', origin, {
        before: null,
        after: settings,
      });
      await publishSubscription(tx, row, configOf(row));
    },
    { spaceId, place: 'subscriptions' },
  );
  return { subscription: row, signingSecret };
}
