import { Injectable } from '@nestjs/common';
import { MemberDirectory } from '@tieline/conversations';
import { Db, runInTx } from '@tieline/platform/database';
import { EgressPolicy } from '@tieline/egress';
import { newSigningSecret, SecretBox } from '@tieline/signing';
import { requireCapacity, SpaceLimitSettings } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
import { uuidv7 } from 'uuidv7';
import { OUTGOING_SECRET } from './outgoing-secret.js';
import { OutgoingWebhook } from './outgoing-webhook.entity.js';
import { COUNT_SUBSCRIPTIONS } from './outgoing-webhooks.statements.js';
import { requireReferences } from './settings/require-references.js';
import { publishSubscription, recordSubscriptionChange } from './subscription-change.js';
import { applySettings, configOf, DEFAULT_SETTINGS } from './settings/subscription-settings.js';
import type { NewSubscription } from './subscription.js';
import { checkSubscriptionUrl } from './settings/subscription-url.js';

/** Creates subscriptions. */
@Injectable()
export class CreateOutgoingWebhook {
  constructor(
    private readonly db: Db,
    private readonly box: SecretBox,
    private readonly egress: EgressPolicy,
    private readonly members: MemberDirectory,
    private readonly space: SpaceLimitSettings,
  ) {}

  /**
   * Returns the subscription with its signing secret, which cannot be read again later.
   * @throws 400 for a refused URL, a trigger_config that does not fit the trigger, or channels or
   * people of another space
   * @throws 409 `limit_reached` when the space has as many subscriptions as its plan allows
   */
  async run(
    { spaceId, origin }: ActingAdmin,
    given: NewSubscription,
  ): Promise<{ subscription: OutgoingWebhook; signingSecret: string }> {
    const settings = applySettings(
      { ...DEFAULT_SETTINGS, name: given.name, url: given.url, eventTypes: given.eventTypes },
      given,
    );
    await checkSubscriptionUrl(this.egress, settings.url);
    const [id, signingSecret, now] = [uuidv7(), newSigningSecret(), new Date()];
    const row: OutgoingWebhook = {
      ...settings,
      spaceId,
      id,
      consecutiveDead: 0,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
      previousSecretExpiresAt: null,
    };
    await runInTx(
      this.db,
      async (tx) => {
        await requireCapacity(tx, spaceId, {
          name: 'subscriptions',
          limits: this.space.limits.subscriptions,
          count: COUNT_SUBSCRIPTIONS,
        });
        await requireReferences(tx, this.members, spaceId, settings);
        await tx.manager.insert(OutgoingWebhook, {
          ...row,
          signingSecret: OUTGOING_SECRET.seal(this.box, id, signingSecret),
        });
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
}
