import { runInWorkerTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { storedAttemptHeaders } from '../../log/attempt-headers.js';
import type { DeliveryKinds } from '../delivery-kinds.js';
import type { Result, SettledDelivery } from '../delivery.types.js';
import type { Line } from './lines.js';
import { CLOSE_BREAKERS, COUNT_FAILURES, LOG_ATTEMPTS, SETTLE } from './results.statements.js';

/** Settings of breakers: the number of consecutive failures that opens one, and for how long. */
export interface BreakerPolicy {
  threshold: number;
  openMs: number;
}

/**
 * Writes the results of a batch in one transaction: queue, log, attempts, breakers, and the
 * counters of kinds. A result without a valid lease only changes the attempt log.
 * @returns the lines in which a delivery ended
 */
export async function settleDeliveries(
  db: Db,
  kinds: DeliveryKinds,
  breaker: BreakerPolicy,
  results: Result[],
): Promise<Line[]> {
  return runInWorkerTx(db, async (tx) => {
    const [{ settled, lines }] = await Promise.all([settleQueue(tx, results), logAttempts(tx, results)]);
    // Attempts of a worker that was frozen or disconnected say nothing about the receiver.
    const held = results.filter(({ delivery }) => settled.has(delivery.id));
    await updateBreakers(tx, breaker, held);
    await notifyKinds(
      tx,
      kinds,
      held.filter(({ delivery }) => delivery.counts),
    );
    return lines;
  });
}

async function settleQueue(tx: Tx, results: Result[]): Promise<{ settled: Set<string>; lines: Line[] }> {
  const rows = await tx.query(SETTLE, {
    ids: results.map(({ delivery }) => delivery.id),
    leases: results.map(({ delivery }) => delivery.lease),
    outcomes: results.map(({ outcome }) => (outcome.kind === 'delivered' ? 'success' : outcome.kind)),
    attempts: results.map(({ delivery, attempt }) => delivery.attempts + (attempt ? 1 : 0)),
    errors: results.map(({ outcome }) => ('error' in outcome ? outcome.error : null)),
    dueAt: results.map(({ outcome }) => (outcome.kind === 'retry' ? outcome.at : null)),
  });
  const lines = rows.flatMap(({ orderKey: key, spaceId, targetId }) =>
    key === null ? [] : [{ spaceId, targetId, key }],
  );
  return { settled: new Set(rows.map((row) => row.id)), lines };
}

async function logAttempts(tx: Tx, results: Result[]): Promise<void> {
  const sent = results.flatMap(({ delivery, attempt }) => (attempt ? [{ delivery, attempt }] : []));
  if (sent.length === 0) return;
  await tx.query(LOG_ATTEMPTS, {
    deliveryIds: sent.map(({ delivery }) => delivery.id),
    spaceIds: sent.map(({ delivery }) => delivery.spaceId),
    attempts: sent.map(({ delivery }) => delivery.attempts + 1),
    times: sent.map(({ attempt }) => attempt.at),
    statusCodes: sent.map(({ attempt }) => attempt.statusCode),
    durations: sent.map(({ attempt }) => attempt.durationMs),
    errors: sent.map(({ attempt }) => attempt.error),
    responses: sent.map(({ attempt }) => attempt.response),
    headers: sent.map(({ delivery, attempt }) => storedAttemptHeaders(delivery.id, attempt)),
  });
}

/**
 * Consecutive failures of one target, in the order in which its attempts ended. `fresh` if it
 * responded in between.
 */
interface Streak {
  spaceId: string;
  kind: string;
  failures: number;
  fresh: boolean;
}

async function updateBreakers(tx: Tx, breaker: BreakerPolicy, results: Result[]): Promise<void> {
  const streaks = new Map<string, Streak>();
  for (const { delivery, health } of results) {
    // Test sends don't change the breaker.
    if (health === undefined || !delivery.counts) continue;
    const streak = streaks.get(delivery.targetId) ?? {
      spaceId: delivery.spaceId,
      kind: delivery.kind,
      failures: 0,
      fresh: false,
    };
    streaks.set(
      delivery.targetId,
      health === 'alive'
        ? { ...streak, failures: 0, fresh: true }
        : { ...streak, failures: streak.failures + 1 },
    );
  }
  // Sorted, so that workers that settle the same targets concurrently don't deadlock.
  const entries = [...streaks].sort(([a], [b]) => (a < b ? -1 : 1));
  const alive = entries.filter(([, streak]) => streak.failures === 0);
  const failing = entries.filter(([, streak]) => streak.failures > 0);
  if (alive.length > 0) await tx.query(CLOSE_BREAKERS, [alive.map(([id]) => id)]);
  if (failing.length === 0) return;
  await tx.query(COUNT_FAILURES, {
    targetIds: failing.map(([id]) => id),
    spaceIds: failing.map(([, streak]) => streak.spaceId),
    kinds: failing.map(([, streak]) => streak.kind),
    failures: failing.map(([, streak]) => streak.failures),
    fresh: failing.map(([, streak]) => streak.fresh),
    threshold: breaker.threshold,
    openMs: breaker.openMs,
  });
}

async function notifyKinds(tx: Tx, kinds: DeliveryKinds, results: Result[]): Promise<void> {
  const byKind = new Map<string, SettledDelivery[]>();
  for (const { delivery, outcome } of results) {
    if (outcome.kind !== 'delivered' && outcome.kind !== 'dead') continue;
    const list = byKind.get(delivery.kind) ?? [];
    list.push({
      deliveryId: delivery.id,
      spaceId: delivery.spaceId,
      targetId: delivery.targetId,
      outcome: outcome.kind === 'dead' ? 'dead' : 'success',
    });
    byKind.set(delivery.kind, list);
  }
  for (const [name, settled] of byKind) await kinds.find(name)?.settled(tx, settled);
}
