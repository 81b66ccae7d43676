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
import { NOTE_RECOVERED, PLAN_OF_SPACE } from './recoveries.statements.js';
import { Recovery } from './recovery.entity.js';
import { countEnded, forgetEvents } from './recovery-progress.js';
import { rangeOf } from './recovery-range.js';

/** What a step uses. */
export interface RecoveryParts {
  db: Db;
  box: SecretBox;
  /** Deliveries per second to one subscription, by the space's plan. */
  rates: Readonly<Record<Plan, number>>;
}

/**
 * On their way at a time: what one target takes at a time, as long as its rate lets so many through
 * in a second.
 */
const AT_A_TIME = 16;
/**
 * So many seconds' worth of what the rate lets through may wait for the target: new events stand
 * behind no more.
 */
const AHEAD_SECONDS = 10;
/** Behind all ids: the log has been walked through. */
const END_OF_LOG = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * What a step has changed: `more`, and the next may at once; `some`; or `nothing`, because
 * deliveries have to end first.
 */
export type Step = 'more' | 'some' | 'nothing';

/**
 * Goes on with a recovery: counts what has ended, and hands over the next deliveries unless enough
 * of them are on their way. It is done when all have ended.
 */
export function recoverSome(
  { db, box, rates }: RecoveryParts,
  { spaceId, id }: Pick<Recovery, 'spaceId' | 'id'>,
): Promise<Step> {
  return runInWorkerTx(db, async (tx) => {
    // Whoever works at it already goes on.
    const locked = await tx.manager.findOne(Recovery, {
      where: { spaceId, id },
      lock: { mode: 'for_no_key_update', onLocked: 'skip_locked' },
    });
    if (!locked || locked.state === 'done') return 'nothing';
    const { recovery, open, ended } = await countEnded(tx, locked);
    const counted = ended > 0 ? 'some' : 'nothing';
    if (recovery.state === 'cancelled') {
      if (open.length === 0) await forgetEvents(tx, recovery);
      return counted;
    }
    const { webhookId, toId, position } = recovery;
    if (position === END_OF_LOG) {
      if (open.length === 0) await end(tx, recovery, 'done');
      return counted;
    }
    const active = await lockActive(tx, spaceId, [webhookId, toId]);
    const target = active.get(toId);
    if (!target || !active.has(webhookId)) {
      await end(tx, recovery, 'cancelled', open);
      return 'some';
    }
    const secrets = (await readSecrets(tx, box, [toId])).get(toId);
    const room = await roomFor(tx, target, rates, open.length);
    if (secrets === undefined || room <= 0) return counted;
    return handOver(tx, recovery, { target, secrets, room });
  });
}

interface Destination {
  target: OutgoingWebhook;
  secrets: LiveSecrets;
  room: number;
}

/** How many more may be on their way to the target. */
async function roomFor(
  tx: Tx,
  { spaceId, id }: OutgoingWebhook,
  rates: RecoveryParts['rates'],
  open: number,
): Promise<number> {
  const [space] = await tx.query(PLAN_OF_SPACE, [spaceId]);
  if (!space) return 0;
  const rate = rates[space.plan];
  const ahead = AHEAD_SECONDS * rate;
  return Math.min(AT_A_TIME - open, Math.max(1, rate) - open, ahead - (await countWaiting(tx, id, ahead)));
}

async function handOver(tx: Tx, recovery: Recovery, { target, secrets, room }: Destination): Promise<Step> {
  const { spaceId, id } = recovery;
  const { rows, after } = await nextRecoverable(tx, rangeOf(recovery), recovery.position, room);
  const prepared = rows.flatMap((row) => planned(row, target, secrets));
  const isNew = await noteEvents(tx, recovery, prepared);
  const again = prepared.filter(({ delivery }) => isNew.has(delivery.id));
  if (again.length > 0) {
    await planDeliveries(
      tx,
      again.map(({ payload }) => payload),
      again.map(({ delivery }, n) => ({ ...delivery, order: inTurn(recovery, n) })),
    );
    const redeliveries = again.map(({ of, delivery }) => ({ id: of, laterId: delivery.id }));
    await noteRedeliveries(tx, spaceId, redeliveries);
  }
  const handed = recovery.handed + again.length;
  await tx.manager.update(Recovery, { spaceId, id }, { handed, position: after ?? END_OF_LOG });
  // With nothing handed over the next step finds that it is done.
  return again.length === room ? 'some' : 'more';
}

/** @returns the deliveries of events that the recovery has not had before */
async function noteEvents(tx: Tx, { spaceId, id }: Recovery, again: readonly Again[]): Promise<Set<string>> {
  if (again.length === 0) return new Set();
  const columns = [again.map(({ delivery }) => delivery.eventId), again.map(({ delivery }) => delivery.id)];
  const rows = await tx.query(NOTE_RECOVERED, [spaceId, id, ...columns]);
  return new Set(rows.map(({ deliveryId }) => deliveryId));
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

/**
 * First attempts come one after the other, in the order of the events; one that is retried holds no
 * other up.
 */
function inTurn({ id: key, handed }: Recovery, n: number): NewDelivery['order'] {
  return { key, position: handed + n, firstAttempts: true };
}

/**
 * What was left out on the way, because it had been delivered meanwhile or its bytes were gone, is
 * no part of the total.
 */
async function end(
  tx: Tx,
  recovery: Recovery,
  state: 'done' | 'cancelled',
  open: readonly string[] = [],
): Promise<void> {
  const { spaceId, id, done, total } = recovery;
  await tx.manager.update(Recovery, { spaceId, id }, { state, total: state === 'done' ? done : total });
  if (open.length === 0) await forgetEvents(tx, recovery);
}
