import { Injectable } from '@nestjs/common';
import { countWaiting, nextRecoverable, noteRedeliveries, planDeliveries } from '@tieline/delivery';
import type { NewDelivery, NewPayload, Recoverable } from '@tieline/delivery';
import { Db, runInWorkerTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { SecretBox } from '@tieline/signing';
import type { LiveSecrets } from '@tieline/signing';
import { uuidv7 } from 'uuidv7';
import { OutgoingWebhookSettings } from '../../webhooks.settings.js';
import { OUTGOING } from '../deliveries/outgoing-kind-name.js';
import { fixedHeaders, unixSeconds } from '../planning/sign-delivery.js';
import type { OutgoingWebhook } from '../subscriptions/outgoing-webhook.entity.js';
import { readSecrets } from '../subscriptions/outgoing-webhooks.queries.js';
import { lockActive } from './recoveries.queries.js';
import { RECORD_RECOVERED, PLAN_OF_SPACE } from './recoveries.statements.js';
import { Recovery } from './recovery.entity.js';
import { countEnded, deleteRecoveredEvents } from './recovery-progress.js';
import { rangeOf } from './recovery-range.js';

/** Maximum number of unfinished deliveries of a recovery. */
const MAX_IN_FLIGHT = 16;
/**
 * Maximum backlog of the target, in seconds at its rate. It limits how long new events have to
 * wait.
 */
const BACKLOG_SECONDS = 10;
/** Position after the last id: the whole log has been read. */
const END_OF_LOG = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Result of a step. `more`: call again immediately. `some`: deliveries were finished or handed
 * over. `nothing`: waiting for deliveries to finish.
 */
export type Step = 'more' | 'some' | 'nothing';

/** Advances recoveries. */
@Injectable()
export class AdvanceRecovery {
  constructor(
    private readonly db: Db,
    private readonly box: SecretBox,
    private readonly settings: OutgoingWebhookSettings,
  ) {}

  /**
   * Advances a recovery by one step: counts finished deliveries and hands over the next ones while
   * there is capacity. The recovery is done when all deliveries have finished.
   */
  run({ spaceId, id }: Pick<Recovery, 'spaceId' | 'id'>): Promise<Step> {
    return runInWorkerTx(this.db, async (tx) => {
      // Skip if another worker is processing it.
      const locked = await tx.manager.findOne(Recovery, {
        where: { spaceId, id },
        lock: { mode: 'for_no_key_update', onLocked: 'skip_locked' },
      });
      if (!locked || locked.state === 'done') return 'nothing';
      const { recovery, open, ended } = await countEnded(tx, locked);
      const counted = ended > 0 ? 'some' : 'nothing';
      if (recovery.state === 'cancelled') {
        if (open.length === 0) await deleteRecoveredEvents(tx, recovery);
        return counted;
      }
      const { webhookId, toId, position } = recovery;
      if (position === END_OF_LOG) {
        if (open.length === 0) await finish(tx, recovery, 'done');
        return counted;
      }
      const active = await lockActive(tx, spaceId, [webhookId, toId]);
      const target = active.get(toId);
      if (!target || !active.has(webhookId)) {
        await finish(tx, recovery, 'cancelled', open);
        return 'some';
      }
      const secrets = (await readSecrets(tx, this.box, [toId])).get(toId);
      const capacity = await this.capacityFor(tx, target, open.length);
      if (secrets === undefined || capacity <= 0) return counted;
      return handOver(tx, recovery, { target, secrets, capacity });
    });
  }

  /** Returns how many more deliveries may be handed over. */
  private async capacityFor(tx: Tx, { spaceId, id }: OutgoingWebhook, open: number): Promise<number> {
    const [space] = await tx.query(PLAN_OF_SPACE, [spaceId]);
    if (!space) return 0;
    const rate = this.settings.ratePerSecond[space.plan];
    const ahead = BACKLOG_SECONDS * rate;
    return Math.min(
      MAX_IN_FLIGHT - open,
      Math.max(1, rate) - open,
      ahead - (await countWaiting(tx, id, ahead)),
    );
  }
}

interface Destination {
  target: OutgoingWebhook;
  secrets: LiveSecrets;
  capacity: number;
}

async function handOver(
  tx: Tx,
  recovery: Recovery,
  { target, secrets, capacity }: Destination,
): Promise<Step> {
  const { spaceId, id } = recovery;
  const { rows, after } = await nextRecoverable(tx, rangeOf(recovery), recovery.position, capacity);
  const prepared = rows.flatMap((row) => prepareRedelivery(row, target, secrets));
  const isNew = await recordNewEvents(tx, recovery, prepared);
  const again = prepared.filter(({ delivery }) => isNew.has(delivery.id));
  if (again.length > 0) {
    await planDeliveries(
      tx,
      again.map(({ payload }) => payload),
      again.map(({ delivery }, n) => ({ ...delivery, order: firstAttemptOrder(recovery, n) })),
    );
    const redeliveries = again.map(({ of, delivery }) => ({ id: of, laterId: delivery.id }));
    await noteRedeliveries(tx, spaceId, redeliveries);
  }
  const handed = recovery.handed + again.length;
  await tx.manager.update(Recovery, { spaceId, id }, { handed, position: after ?? END_OF_LOG });
  // If nothing was handed over, the next step finds out that the recovery is done.
  return again.length === capacity ? 'some' : 'more';
}

/** @returns ids of the deliveries whose events this recovery has not sent before */
async function recordNewEvents(
  tx: Tx,
  { spaceId, id }: Recovery,
  again: readonly PreparedRedelivery[],
): Promise<Set<string>> {
  if (again.length === 0) return new Set();
  const rows = await tx.query(RECORD_RECOVERED, {
    spaceId,
    recoveryId: id,
    eventIds: again.map(({ delivery }) => delivery.eventId),
    deliveryIds: again.map(({ delivery }) => delivery.id),
  });
  return new Set(rows.map(({ deliveryId }) => deliveryId));
}

interface PreparedRedelivery {
  /** Id of the original delivery. */
  of: string;
  payload: NewPayload;
  delivery: NewDelivery;
}

/**
 * Prepares a redelivery with a copy of the body, because the old row expires. Returns nothing if
 * the body is already gone.
 */
function prepareRedelivery(
  { id: of, eventId, eventType, body }: Recoverable,
  { spaceId, id: targetId, retryProfile }: OutgoingWebhook,
  secrets: LiveSecrets,
): PreparedRedelivery[] {
  if (body === null) return [];
  const [id, payload] = [uuidv7(), { id: uuidv7(), spaceId, body }];
  const headers = fixedHeaders({ deliveryId: id, eventType, timestamp: unixSeconds(), secrets, body });
  const delivery = { id, spaceId, kind: OUTGOING, targetId, eventId, eventType, payloadId: payload.id };
  return [{ of, payload, delivery: { ...delivery, headers, retryProfile } }];
}

/** Orders the first attempts like the events. Retries delay no other delivery. */
function firstAttemptOrder({ id: key, handed }: Recovery, n: number): NewDelivery['order'] {
  return { key, position: handed + n, firstAttempts: true };
}

/**
 * Ends a recovery. Events skipped because they were delivered in the meantime or their body was
 * gone are removed from the total.
 */
async function finish(
  tx: Tx,
  recovery: Recovery,
  state: 'done' | 'cancelled',
  open: readonly string[] = [],
): Promise<void> {
  const { spaceId, id, done, total } = recovery;
  await tx.manager.update(Recovery, { spaceId, id }, { state, total: state === 'done' ? done : total });
  if (open.length === 0) await deleteRecoveredEvents(tx, recovery);
}
