import { countWaiting, nextRecoverable, noteRedeliveries, planDeliveries } from '@tieline/delivery';
import type { NewDelivery, NewPayload, Recoverable } from '@tieline/delivery';
import { runInWorkerTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import type { LiveSecrets, SecretBox } from '@tieline/signing';
import type { Plan } from '@tieline/spaces';
import { v7 as uuidv7 } from 'uuid';
import { OUTGOING } from '../deliveries/outgoing-kind-name.js';
import { fixedHeaders, unixSeconds } from '../planning/sign-delivery.js';
import type { OutgoingWebhook } from '../subscriptions/outgoing-webhook.entity.js';
import { readSecrets } from '../subscriptions/outgoing-webhooks.queries.js';
import { lockActive } from './recoveries.queries.js';
import { PLAN_OF_SPACE } from './recoveries.statements.js';
import { Recovery } from './recovery.entity.js';
import { rangeOf } from './recovery-range.js';

/** What a step uses. */
export interface RecoveryParts {
  db: Db;
  box: SecretBox;
  /** Deliveries per second to one subscription, by the space's plan. */
  rates: Readonly<Record<Plan, number>>;
}

/** Deliveries of one transaction. */
const STEP = 100;
/** So many seconds' worth of what the rate lets through may wait for the target: new events stand behind no more. */
const AHEAD_SECONDS = 10;

/**
 * Plans the next deliveries of a recovery, unless enough is waiting for the target already.
 * @returns whether there is more to be planned at once
 */
export function recoverSome(
  { db, box, rates }: RecoveryParts,
  { spaceId, id }: Pick<Recovery, 'spaceId' | 'id'>,
): Promise<boolean> {
  return runInWorkerTx(db, async (tx) => {
    // Whoever works at it already goes on.
    const recovery = await tx.manager.findOne(Recovery, {
      where: { spaceId, id, state: 'running' },
      lock: { mode: 'for_no_key_update', onLocked: 'skip_locked' },
    });
    if (!recovery) return false;
    const { webhookId, toId } = recovery;
    const active = await lockActive(tx, spaceId, [webhookId, toId]);
    const target = active.get(toId);
    if (!target || !active.has(webhookId)) return end(tx, recovery, 'cancelled');
    const secrets = (await readSecrets(tx, box, [toId])).get(toId);
    const room = await roomFor(tx, target, rates);
    return secrets !== undefined && room > 0 && step(tx, recovery, { target, secrets, room });
  });
}

interface Destination {
  target: OutgoingWebhook;
  secrets: LiveSecrets;
  room: number;
}

/** How many more may wait for the target. */
async function roomFor(
  tx: Tx,
  { spaceId, id }: OutgoingWebhook,
  rates: RecoveryParts['rates'],
): Promise<number> {
  const [space] = await tx.query(PLAN_OF_SPACE, [spaceId]);
  if (!space) return 0;
  const ahead = AHEAD_SECONDS * rates[space.plan];
  return ahead - (await countWaiting(tx, id, ahead));
}

async function step(tx: Tx, recovery: Recovery, { target, secrets, room }: Destination): Promise<boolean> {
  const { spaceId, id } = recovery;
  const limit = Math.min(STEP, room);
  const { rows, after } = await nextRecoverable(tx, rangeOf(recovery), recovery.position, limit);
  const again = rows.flatMap((row) => planned(row, target, secrets));
  if (again.length > 0) {
    await planDeliveries(
      tx,
      again.map(({ payload }) => payload),
      again.map(({ delivery }) => delivery),
    );
    const redeliveries = again.map(({ of, delivery }) => ({ id: of, laterId: delivery.id }));
    await noteRedeliveries(tx, spaceId, redeliveries);
  }
  const done = recovery.done + again.length;
  if (after === undefined) return end(tx, recovery, 'done', done);
  await tx.manager.update(Recovery, { spaceId, id }, { done, position: after });
  return limit === STEP;
}

interface Again {
  /** The delivery that is sent again. */
  of: string;
  payload: NewPayload;
  delivery: NewDelivery;
}

/** A copy of the bytes, because the old row leaves with its day; nothing when that has happened. */
function planned(
  { id: of, eventId, eventType, body }: Recoverable,
  { spaceId, id: targetId, retryProfile }: OutgoingWebhook,
  secrets: LiveSecrets,
): Again[] {
  if (body === null) return [];
  const [id, payload] = [uuidv7(), { id: uuidv7(), spaceId, body }];
  const headers = fixedHeaders({ deliveryId: id, eventType, timestamp: unixSeconds(), secrets, body });
  const delivery = { id, spaceId, kind: OUTGOING, targetId, eventId, eventType, payloadId: payload.id };
  return [{ of, payload, delivery: { ...delivery, headers, retryProfile } }];
}

async function end(
  tx: Tx,
  { spaceId, id, done: before }: Recovery,
  state: 'done' | 'cancelled',
  done = before,
): Promise<false> {
  await tx.manager.update(Recovery, { spaceId, id }, { state, done });
  return false;
}
