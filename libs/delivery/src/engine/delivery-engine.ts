import { setTimeout as sleep } from 'node:timers/promises';
import { microBatch } from '@tieline/platform/database';
import type { Db, Queryable } from '@tieline/platform/database';
import type { EgressClient } from '@tieline/egress';
import type { RateLimiter } from '@tieline/rate-limit';
import type { AttemptFailure, DeliveryKinds, TargetMap, TargetOf } from './delivery-kinds.js';
import type { ClaimedDelivery, PreparedDelivery, Result } from './delivery.types.js';
import { RateWindows, WINDOW_MS } from './lanes/rate-windows.js';
import { sendAttempt } from './send-attempt.js';
import type { AttemptPolicy } from './send-attempt.js';
import { FIND_LAST_FAILURES } from './results/last-failures.statements.js';
import type { Line } from './results/lines.js';
import { settleDeliveries } from './results/settle-deliveries.js';
import type { BreakerPolicy } from './results/settle-deliveries.js';
import { Successes } from './results/settle-successes.js';
import { SlowResults } from './results/slow-results.js';

/** Settings of the engine. Times are in milliseconds. */
export interface EngineSettings {
  attempts: AttemptPolicy;
  breaker: BreakerPolicy;
}

/** Events of the engine, for logs and metrics. */
export interface EngineEvents {
  /** An attempt has finished: one log line, one count. */
  finished(result: Result): void;
  /** A statement or store failed. The work stays in the database and is retried. */
  failed(error: unknown): void;
  /** A test send has ended and its result is written. */
  trialEnded?(deliveryId: string): void;
}

/**
 * Opens a breaker after 10 consecutive failures and grants one probe every 30 seconds
 * (docs/outgoing-webhooks.md#circuit-breaker).
 */
export const BREAKER: BreakerPolicy = { threshold: 10, openMs: 30_000 };
const SETTLE_TRIES = 5;
const SETTLE_PAUSE_MS = 1000;

/**
 * Sends claimed deliveries: reads their targets, posts the stored bytes, decides the outcome, and
 * writes results in batches. All its state is in the database, so it can be killed at any moment.
 */
export class DeliveryEngine {
  /** Targets that have used up their rate. */
  readonly rates = new RateWindows();
  private readonly slow = new SlowResults();
  private readonly successes: Successes;
  private readonly write: (result: Result) => Promise<void>;
  private linesEnded: (lines: readonly Line[]) => void = () => undefined;

  constructor(
    private readonly db: Db,
    private readonly egress: EgressClient,
    private readonly limiter: RateLimiter,
    private readonly kinds: DeliveryKinds,
    private readonly settings: EngineSettings,
    private readonly events: EngineEvents,
  ) {
    this.successes = new Successes(kinds);
    this.write = microBatch((results: Result[]) => this.writeResults(results), {
      maxBatch: 500,
      maxInFlight: 2,
    });
  }

  /** @param ended called with lines whose next deliveries may be released */
  onLinesEnded(ended: (lines: readonly Line[]) => void): void {
    this.linesEnded = ended;
  }

  /**
   * Charges the rates of a leased batch.
   * @param known the targets, if they were read with the leases
   */
  async prepare(batch: ClaimedDelivery[], known?: TargetMap): Promise<PreparedDelivery[]> {
    const targets = known ?? (await this.loadTargets(this.db, batch));
    const [overRate, failures] = await Promise.all([this.overRate(batch, targets), this.lastFailures(batch)]);
    return batch.map((delivery) => ({
      delivery,
      attempt: (sendBy) => this.attempt(delivery, { targets, overRate, failures }, sendBy),
    }));
  }

  /** Returns why the last attempts of retries failed, by delivery, for kinds that read it. */
  private async lastFailures(batch: ClaimedDelivery[]): Promise<Map<string, AttemptFailure>> {
    const retries = batch.filter(
      (delivery) =>
        delivery.attempts > 0 && this.kinds.find(delivery.kind)?.readsLastFailure?.(delivery) === true,
    );
    if (retries.length === 0) return new Map();
    const rows = await this.db.query(FIND_LAST_FAILURES, {
      ids: retries.map(({ id }) => id),
      spaceIds: retries.map(({ spaceId }) => spaceId),
    });
    return new Map(rows.map(({ id, statusCode, error }) => [id, { statusCode, error }]));
  }

  /** Reads the targets of deliveries, in one statement per kind. */
  async loadTargets(db: Queryable, deliveries: readonly TargetOf[]): Promise<TargetMap> {
    const targets: TargetMap = new Map();
    const find = async (name: string): Promise<void> => {
      const kind = this.kinds.find(name);
      if (!kind) return;
      const ids = deliveries.filter((delivery) => delivery.kind === name).map(({ targetId }) => targetId);
      for (const [id, target] of await kind.loadTargets(db, [...new Set(ids)]))
        targets.set(`${name}/${id}`, { kind, target });
    };
    await Promise.all([...new Set(deliveries.map(({ kind }) => kind))].map(find));
    return targets;
  }

  /**
   * Reports a result and resolves once it is written.
   * @throws Error if it could not be written. The lease then expires.
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
    { targets, overRate, failures }: BatchFacts,
    sendBy: number,
  ): Promise<Result> {
    const dead = (error: string): Result => ({ delivery, outcome: { kind: 'dead', error } });
    const found = targets.get(key(delivery));
    if (!found || (!found.target.active && delivery.counts)) return dead('subscription inactive');
    if (delivery.body === null) return dead('payload out of retention');
    const at = overRate.get(delivery.id);
    if (at) return { delivery, outcome: { kind: 'postponed', at } };
    const how = { sendBy, lastFailure: failures.get(delivery.id) };
    return sendAttempt(this.egress, this.settings.attempts, found, delivery, how);
  }

  /**
   * Returns the deliveries that exceed their target's rate, with the time when each may be sent.
   * Never includes test sends.
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

  /** Charges one target's rate. The oldest deliveries go first. */
  private async refusedBy(targetId: string, rate: number, ids: string[]): Promise<[string, Date][]> {
    // If the limiter's store is unavailable, deliveries continue. The limit per target still
    // protects the receiver.
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
        const lines = await this.settleAll(results);
        if (lines.length > 0) this.linesEnded(lines);
        break;
      } catch (error) {
        this.events.failed(error);
        if (tries >= SETTLE_TRIES) throw error;
        await sleep(SETTLE_PAUSE_MS * tries);
      }
    }
    return results.map(() => undefined);
  }

  private settleAll(results: Result[]): Promise<Line[]> {
    if (this.successes.covers(results)) return this.successes.settle(this.db, results);
    return settleDeliveries(this.db, this.kinds, this.settings.breaker, results);
  }
}

/** What is read for a batch before its attempts. */
interface BatchFacts {
  targets: TargetMap;
  overRate: ReadonlyMap<string, Date>;
  failures: ReadonlyMap<string, AttemptFailure>;
}

const key = (delivery: ClaimedDelivery): string => `${delivery.kind}/${delivery.targetId}`;
