import { setTimeout as sleep } from 'node:timers/promises';
import { microBatch } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { EgressClient } from '@tieline/egress';
import type { RateLimiter } from '@tieline/rate-limit';
import { claimDeliveries, LANES } from './claims/claim-deliveries.js';
import type { ClaimAnswer } from './claims/claim-deliveries.js';
import type { DeliveryKind, DeliveryKinds, DeliveryTarget } from './delivery-kinds.js';
import { DeliveryLane } from './claims/delivery-lane.js';
import type { CarryProgress, LaneClaim, LaneLimits } from './claims/delivery-lane.js';
import type { ClaimedDelivery, Outcome, Result } from './delivery.types.js';
import type { LeaseOwner } from './claims/lease-owner.js';
import { RateSlots } from './claims/rate-slots.js';
import { sendAttempt } from './send-attempt.js';
import type { AttemptPolicy } from './send-attempt.js';
import { settleDeliveries } from './results/settle-deliveries.js';
import type { BreakerPolicy } from './results/settle-deliveries.js';

/** Everything that may be tuned; times in milliseconds. */
export interface EngineSettings {
  attempts: AttemptPolicy;
  breaker: BreakerPolicy;
  lanes: Readonly<Record<keyof typeof LANES, LaneLimits>>;
}

/** What happens inside the engine, for logs and metrics. */
export interface EngineEvents {
  /** A claimed delivery is finished: one wide log line, one count. */
  finished(result: Result): void;
  /** Something on our side failed (a statement, a store); the work stays in the database and is retried. */
  failed(error: unknown): void;
  /** Something is due at this moment. */
  due(at: Date): void;
}

/** What the breaker is like everywhere: 10 consecutive failures, then one probe every 30 seconds (decisions, section 4). */
export const BREAKER: BreakerPolicy = { threshold: 10, openMs: 30_000 };
/** First attempts have the greater share; a target that hangs fills at most its own few places. */
export const LANE_LIMITS: EngineSettings['lanes'] = {
  first: { capacity: 512, perTarget: 16 },
  retry: { capacity: 256, perTarget: 8 },
  test: { capacity: 16, perTarget: 2 },
};

/** A lease outlives an attempt by this much: time to write the result, also when the database is slow. */
const LEASE_MARGIN_MS = 20_000;
const SETTLE_TRIES = 5;
const SETTLE_PAUSE_MS = 1000;

/**
 * Sends what is due: claims fair batches under a lease, posts the stored bytes, decides, and writes results many at a
 * time. Everything it knows is in the database, so it may be killed at any moment.
 */
export class DeliveryEngine {
  private readonly lanes: DeliveryLane[];
  private readonly slots = new RateSlots();
  private probes = new Set<string>();
  private readonly settle: (result: Result) => Promise<void>;

  constructor(
    private readonly db: Db,
    private readonly egress: EgressClient,
    private readonly limiter: RateLimiter,
    private readonly kinds: DeliveryKinds,
    private readonly owner: LeaseOwner,
    private readonly settings: EngineSettings,
    private readonly events: EngineEvents,
  ) {
    this.settle = microBatch((results: Result[]) => this.writeResults(results), {
      maxBatch: 500,
      maxInFlight: 2,
    });
    const lane = (name: keyof typeof LANES): DeliveryLane =>
      new DeliveryLane(LANES[name], settings.lanes[name], {
        claim: (request) => this.claim(request),
        carry: (batch, progress) => this.carry(batch, progress),
        failed: (error) => events.failed(error),
      });
    this.lanes = [lane('first'), lane('retry'), lane('test')];
  }

  /** Deliveries claimed and not yet settled. */
  get busy(): number {
    return this.lanes.reduce((sum, lane) => sum + lane.busy, 0);
  }

  start(): void {
    this.wake();
  }

  /** There may be work. */
  wake(): void {
    for (const lane of this.lanes) lane.wake();
  }

  /** Lets one delivery through to each of these targets, whose breaker is open. */
  probe(targetIds: string[]): void {
    for (const id of targetIds) this.probes.add(id);
    if (targetIds.length > 0) this.wake();
  }

  /** Claims nothing more; resolves when every attempt in flight is over and its result written. */
  async stop(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.stop()));
  }

  private async claim(request: LaneClaim): Promise<ClaimAnswer> {
    const probes = [...this.probes];
    const answer = await claimDeliveries(this.db, {
      ...request,
      probes,
      owner: await this.owner.current(),
      leaseMs: this.settings.attempts.timeoutMs + LEASE_MARGIN_MS,
    });
    // A probe is for one delivery: whichever lane took it has used it up.
    for (const { targetId } of answer.deliveries) this.probes.delete(targetId);
    return answer;
  }

  /** Sends a claimed batch. Resolves when all of it is settled. */
  private async carry(batch: ClaimedDelivery[], progress: CarryProgress): Promise<void> {
    const finish = async (result: Result): Promise<void> => {
      progress.sent(result.delivery);
      this.events.finished(result);
      await this.settle(result).catch((error: unknown) => this.events.failed(error));
      progress.settled();
    };
    try {
      const targets = await this.targetsOf(batch);
      const granted = await this.withinRates(batch, targets);
      await Promise.all(
        batch.map(async (delivery) => finish(await this.attempt(delivery, targets, granted))),
      );
    } catch (error) {
      // Nothing was sent: the leases run out and another claim takes them.
      for (const delivery of batch) {
        progress.sent(delivery);
        progress.settled();
      }
      throw error;
    }
  }

  private async attempt(
    delivery: ClaimedDelivery,
    targets: TargetMap,
    granted: Set<string>,
  ): Promise<Result> {
    const dead = (error: string): Result => ({ delivery, outcome: { kind: 'dead', error } });
    const found = targets.get(key(delivery));
    if (!found || (!found.target.active && delivery.counts)) return dead('subscription inactive');
    if (delivery.body === null) return dead('payload no longer kept');
    if (!granted.has(delivery.id)) {
      const at = this.slots.next(delivery.targetId, found.target.ratePerSecond ?? 1, Date.now());
      return { delivery, outcome: { kind: 'postponed', at } };
    }
    return sendAttempt(this.egress, this.settings.attempts, found.kind, found.target, delivery);
  }

  private async targetsOf(batch: ClaimedDelivery[]): Promise<TargetMap> {
    const targets: TargetMap = new Map();
    for (const name of new Set(batch.map((delivery) => delivery.kind))) {
      const kind = this.kinds.find(name);
      if (!kind) continue;
      const ids = new Set(
        batch.filter((delivery) => delivery.kind === name).map((delivery) => delivery.targetId),
      );
      for (const [id, target] of await kind.loadTargets(this.db, [...ids]))
        targets.set(`${name}/${id}`, { kind, target });
    }
    return targets;
  }

  /** The ids of the batch that their target's rate lets through now; test sends always. */
  private async withinRates(batch: ClaimedDelivery[], targets: TargetMap): Promise<Set<string>> {
    const granted = new Set<string>();
    const limited = new Map<string, { rate: number; ids: string[] }>();
    for (const delivery of batch) {
      const rate = targets.get(key(delivery))?.target.ratePerSecond;
      if (rate === undefined || !delivery.counts) granted.add(delivery.id);
      else
        limited.set(delivery.targetId, {
          rate,
          ids: [...(limited.get(delivery.targetId)?.ids ?? []), delivery.id],
        });
    }
    await Promise.all(
      [...limited].map(async ([targetId, { rate, ids }]) => {
        // Without the limiter's store deliveries go on: the caps per target still protect the receiver.
        const count = await this.limiter
          .take(`delivery:${targetId}`, rate, 1000, ids.length)
          .catch(() => ids.length);
        for (const id of ids.slice(0, count)) granted.add(id);
      }),
    );
    return granted;
  }

  private async writeResults(results: Result[]): Promise<void[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        await settleDeliveries(this.db, this.kinds, this.settings.breaker, results);
        break;
      } catch (error) {
        this.events.failed(error);
        if (tries >= SETTLE_TRIES) throw error;
        await sleep(SETTLE_PAUSE_MS * tries);
      }
    }
    for (const { outcome } of results) if (isLater(outcome)) this.events.due(outcome.at);
    return results.map(() => undefined);
  }
}

type TargetMap = Map<string, { kind: DeliveryKind; target: DeliveryTarget }>;

const key = (delivery: ClaimedDelivery): string => `${delivery.kind}/${delivery.targetId}`;

const isLater = (outcome: Outcome): outcome is Extract<Outcome, { at: Date }> => 'at' in outcome;
