import { countRecoverable, startOf } from '@tieline/delivery';
import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import type { ActingAdmin } from '@tieline/spaces';
import { IsNull } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { recoveryRunning, subscriptionInactive, unknownTarget } from '../outgoing-webhooks.errors.js';
import { OutgoingWebhook } from '../subscriptions/outgoing-webhook.entity.js';
import { findSubscription } from '../subscriptions/outgoing-webhooks.queries.js';
import { recordSubscriptionChange } from '../subscriptions/subscription-change.js';
import { lockActive } from './recoveries.queries.js';
import { Recovery } from './recovery.entity.js';
import { rangeOf } from './recovery-range.js';

/** Which events to send again, and where. */
export type RecoveryRequest = Pick<Recovery, 'onlyFailed' | 'since' | 'eventTypes'> & {
  /** Default: now. */
  until: Date | undefined;
  /** Default: the same subscription. */
  toId: string | undefined;
};

/**
 * Starts sending a part of a subscription's log again in the background. Events planned from now on
 * are not included.
 * @throws 404
 * @throws 400 when `to` is not a subscription of the space
 * @throws 409 when either subscription is inactive or a recovery is running
 */
export async function startRecovery(
  db: Db,
  { spaceId, origin }: ActingAdmin,
  webhookId: string,
  { toId = webhookId, until, ...wanted }: RecoveryRequest,
): Promise<Recovery> {
  await findSubscription(db, spaceId, webhookId);
  const isKnown = await db.manager.existsBy(OutgoingWebhook, { spaceId, id: toId, deletedAt: IsNull() });
  if (!isKnown) throw unknownTarget();
  return runInTx(
    db,
    async (tx) => {
      const active = await lockActive(tx, spaceId, [webhookId, toId]);
      if (!active.has(webhookId) || !active.has(toId)) throw subscriptionInactive();
      if (await tx.manager.existsBy(Recovery, { spaceId, webhookId, state: 'running' }))
        throw recoveryRunning();
      const now = new Date();
      const end = until && until < now ? until : now;
      const recovery = await insert(tx, { ...wanted, spaceId, webhookId, toId, until: end, createdAt: now });
      await recordSubscriptionChange(
        tx,
        { spaceId, id: webhookId },
        'outgoing_webhook.recovery_started',
        origin,
      );
      return recovery;
    },
    { spaceId, place: webhookId },
  );
}

const INITIAL_COUNTS = { handed: 0, done: 0, succeeded: 0, failed: 0 };

async function insert(
  tx: Tx,
  given: Omit<Recovery, 'id' | 'state' | 'total' | keyof typeof INITIAL_COUNTS | 'position'>,
): Promise<Recovery> {
  const total = await countRecoverable(tx, rangeOf(given));
  const recovery: Recovery = {
    ...given,
    id: uuidv7(),
    state: total === 0 ? 'done' : 'running',
    total,
    ...INITIAL_COUNTS,
    position: startOf(given),
  };
  await tx.manager.insert(Recovery, recovery);
  return recovery;
}
