import type { Tx } from '@tieline/platform/database';
import { auditedOf } from '@tieline/platform/resource';
import { appendOutbox } from '@tieline/delivery';
import { changesBetween, recordChange } from '@tieline/spaces';
import type { Origin } from '@tieline/spaces';
import { uuidv7 } from 'uuidv7';
import { OUTGOING_WEBHOOK_CHANGED } from '../planning/subscription-config.js';
import type { SubscriptionChange, SubscriptionConfig } from '../planning/subscription-config.js';
import { SUBSCRIPTION } from './subscription.js';
import type { SubscriptionSettings } from './subscription.js';

export type SubscriptionAction =
  | 'outgoing_webhook.created'
  | 'outgoing_webhook.updated'
  | 'outgoing_webhook.deleted'
  | 'outgoing_webhook.secret_rotated'
  | 'outgoing_webhook.portal_link_made'
  | 'outgoing_webhook.tested'
  | 'outgoing_webhook.tested_by_link'
  | 'outgoing_webhook.redelivered'
  | 'outgoing_webhook.redelivered_by_link'
  | 'outgoing_webhook.recovery_started'
  | 'outgoing_webhook.recovery_cancelled'
  | 'outgoing_webhook.auto_disabled';

/** Who triggered the sending: an admin, or the holder of a portal link. */
export interface SendingOrigin {
  origin: Origin;
  isByLink?: boolean;
}

interface Subject {
  spaceId: string;
  id: string;
}

/** Settings before and after a change. `before` is null for a new subscription. */
export interface SettingsChange {
  before: Partial<SubscriptionSettings> | null;
  after: Partial<SubscriptionSettings>;
}

/** Writes a change to the audit log in the transaction of the change. */
export async function recordSubscriptionChange(
  tx: Tx,
  { spaceId, id }: Subject,
  action: SubscriptionAction,
  origin: Origin,
  { before, after }: SettingsChange = { before: null, after: {} },
): Promise<void> {
  const changes = changesBetween(before && auditedOf(SUBSCRIPTION, before), auditedOf(SUBSCRIPTION, after));
  await recordChange(tx, {
    spaceId,
    ...origin,
    action,
    objectType: 'outgoing_webhook',
    objectId: id,
    changes,
  });
}

/** The original delivery, if any, and the new one. */
export interface SentDelivery {
  from: string | null;
  to: string;
}

/** Records a test or redelivery in the audit log, in the transaction that plans it. */
export async function recordSending(
  tx: Tx,
  { spaceId, id }: Subject,
  what: 'tested' | 'redelivered',
  { origin, isByLink }: SendingOrigin,
  delivery: SentDelivery,
): Promise<void> {
  const action: SubscriptionAction = `outgoing_webhook.${what}${isByLink ? '_by_link' : ''}`;
  const changes = { delivery_id: delivery };
  const subject = { spaceId, objectType: 'outgoing_webhook', objectId: id };
  await recordChange(tx, { ...origin, ...subject, action, changes });
}

/**
 * Publishes the configuration that the planner uses from this commit on. The caller holds the row's
 * lock or has just inserted the row, so that changes of a subscription enter the outbox in commit
 * order.
 */
export async function publishSubscription(
  tx: Tx,
  { spaceId, id }: Subject,
  config: SubscriptionConfig | null,
): Promise<void> {
  const payload: SubscriptionChange = { id, config };
  await appendOutbox(tx, { eventId: uuidv7(), spaceId, type: OUTGOING_WEBHOOK_CHANGED, payload });
}
