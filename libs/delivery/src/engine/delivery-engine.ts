import { setTimeout as sleep } from 'node:timers/promises';
import { microBatch } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { EgressClient } from '@tieline/egress';
import type { RateLimiter } from '@tieline/rate-limit';
import type { DeliveryKind, DeliveryKinds, DeliveryTarget } from './delivery-kinds.js';
import type { ClaimedDelivery, PreparedDelivery, Result } from './delivery.types.js';
import { RateWindows, WINDOW_MS } from './lanes/rate-windows.js';
import { sendAttempt } from './send-attempt.js';
import type { AttemptPolicy } from './send-attempt.js';
import { settleDeliveries } from './results/settle-deliveries.js';
import type { BreakerPolicy } from './results/settle-deliveries.js';
import { SlowResults } from './results/slow-results.js';

/** Everything that may be tuned; times in milliseconds. */
export interface EngineSettings {
  attempts: AttemptPolicy;
  breaker: BreakerPolicy;
}

/** What happens inside the engine, for logs and metrics. */
export interface EngineEvents {
  /** A claimed delivery is finished: one wide log line, one count. */
  finished(result: Result): void;
  /**
   * Something on our side failed (a statement, a store); the work stays in the database and is
   * retried.
   */
  failed(error: unknown): void;
  /** A test send has ended, and its result is written. */
  trialEnded?(deliveryId: string): void;
}

/**
 * What the breaker is like everywhere: 10 consecutive failures, then one probe every 30 seconds
 * (decisions, section 4).
 */
export const BREAKER: BreakerPolicy = { threshold: 10, openMs: 30_000 };
const SETTLE_TRIES = 5;
const SETTLE_PAUSE_MS = 1000;

/**
 * Sends claimed deliveries: finds their targets, posts the stored bytes, decides, and writes
 * results many at a time. Everything it knows is in the database, so it may be killed at any
 * moment.
 */
export class DeliveryEngine {
  /** Which targets have used up their rate. */
  readonly rates = new RateWindows();
  private readonly slow = new SlowResults();
  private readonly write: (result: Result) => Promise<void>;
  private released: () => void = () => undefined;

  constructor(
    private readonly db: Db,
    private readonly egress: EgressClient,
    private readonly limiter: RateLimiter,
    private readonly kinds: DeliveryKinds,
    private readonly settings: EngineSettings,
    private readonly events: EngineEvents,
  ) {
    this.write = microBatch((results: Result[]) => this.writeResults(results), {
      maxBatch: 500,
      maxInFlight: 2,
    });
  }

  /** @param released called when deliveries are due that waited for others to end */
  onReleased(released: () => void): void {
    this.released = released;
  }

  /** Reads the targets of a claimed batch and asks their rates. */
  async prepare(batch: ClaimedDelivery[]): Promise<PreparedDelivery[]> {
    const targets = await this.targetsOf(batch);
    const overRate = await this.overRate(batch, targets);
    return batch.map((delivery) => ({
      delivery,
      attempt: () => this.attempt(delivery, targets, overRate),
    }));
  }

  /**
   * Tells of a result; resolves once it is written. @throws Error when it could not be: the lease
   * runs out
   */
  async settle(result: Result): Promise<void> {
    this.events.finished(result);
    await this.slow.gather(result);
    await this.write(result);
    const { delivery, outcome } = result;
    const hasEnded = outcome.kind === 'delivered' || outcome.kind === 'dead';
    if (hasEnded && !delivery.counts) this.events.trialEnded?.(delivery.id);
  }

  private async attempt(
    delivery: ClaimedDelivery,
    targets: TargetMap,
    overRate: ReadonlyMap<string, Date>,
  ): Promise<Result> {
    const dead = (error: string): Result => ({ delivery, outcome: { kind: 'dead', error } });
    const found = targets.get(key(delivery));
    if (!found || (!found.target.active && delivery.counts)) return dead('subscription inactive');
    if (delivery.body === null) return dead('payload no longer kept');
    const at = overRate.get(delivery.id);
    if (at) return { delivery, outcome: { kind: 'postponed', at } };
    return sendAttempt(this.egress, this.settings.attempts, found.kind, found.target, delivery);
  }

  private async targetsOf(batch: ClaimedDelivery[]): Promise<TargetMap> {
    const targets: TargetMap = new Map();
    const find = async (name: string): Promise<void> => {
      const kind = this.kinds.find(name);
      if (!kind) return;
      const ids = batch.filter((delivery) => delivery.kind === name).map(({ targetId }) => targetId);
      for (const [id, target] of await kind.loadTargets(this.db, [...new Set(ids)]))
        targets.set(`${name}/${id}`, { kind, target });
    };
    await Promise.all([...new Set(batch.map(({ kind }) => kind))].map(find));
    return targets;
  }

  /**
   * The deliveries that their target's rate does not let through now, and until when; never test
   * sends.
   */
  private async overRate(batch: ClaimedDelivery[], targets: TargetMap): Promise<Map<string, Date>> {
    const limited = new Map<string, { rate: number; ids: string[] }>();
    for (const delivery of batch) {
      const rate = targets.get(key(delivery))?.target.ratePerSecond;
      if (rate === undefined || !delivery.counts) continue;
      const ids = [...(limited.get(delivery.targetId)?.ids ?? []), delivery.id];
      limited.set(delivery.targetId, { rate, ids });
    }
    const refused = await Promise.all(
      [...limited].map(([targetId, { rate, ids }]) => this.refusedBy(targetId, rate, ids)),
    );
    return new Map(refused.flat());
  }

  /** The oldest go first. */
  private async refusedBy(targetId: string, rate: number, ids: string[]): Promise<[string, Date][]> {
    // Without the limiter's store deliveries go on: the caps per target still protect the receiver.
    const granted = await this.limiter
      .take(`delivery:${targetId}`, rate, WINDOW_MS, ids.length)
      .catch(() => ids.length);
    const refused = ids.sort().slice(granted);
    const opensAt = this.rates.recordGrant(targetId, rate, granted, refused.length);
    return opensAt ? refused.map((id) => [id, opensAt]) : [];
  }

  private async writeResults(results: Result[]): Promise<void[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        if (await settleDeliveries(this.db, this.kinds, this.settings.breaker, results)) this.released();
        break;
      } catch (error) {
        this.events.failed(error);
        if (tries >= SETTLE_TRIES) throw error;
        await sleep(SETTLE_PAUSE_MS * tries);
      }
    }
    return results.map(() => undefined);
  }
}

type TargetMap = Map<string, { kind: DeliveryKind; target: DeliveryTarget }>;

const key = (delivery: ClaimedDelivery): string => `${delivery.kind}/${delivery.targetId}`;
