import type { Queryable, Tx } from '@tieline/platform/database';
import type { ClaimedDelivery, SettledDelivery } from './delivery.types.js';
import type { DeadLetterCounter } from './results/count-dead-letters.js';
import type { Exhaustion, TargetKey } from './results/exhausted-targets.js';

/** The target of deliveries, read again for every batch of attempts. */
export interface DeliveryTarget {
  url: string;
  /** If false, counted deliveries fail with `subscription inactive` and nothing is sent. */
  active: boolean;
  /** Maximum number of deliveries per second. Unlimited if absent. */
  ratePerSecond?: number;
}

/** Why an attempt failed: the status of the response, or the error without one. */
export interface AttemptFailure {
  statusCode: number | null;
  error: string | null;
}

/** Data of an attempt that headers may depend on. */
export interface AttemptFacts {
  /** Starts at 1. */
  attempt: number;
  now: Date;
  /** The failure of the attempt before, if the kind asks for it. */
  lastFailure?: AttemptFailure | undefined;
}

/** How the engine handles a feature's deliveries. */
export interface DeliveryKind<Target extends DeliveryTarget = DeliveryTarget> {
  readonly name: string;
  /**
   * `public`: users choose the addresses, which must be public and HTTPS. `configured`: admins and
   * bots choose them, and the operator may allow other addresses.
   */
  readonly reach: 'configured' | 'public';
  /**
   * Whether the log keeps the headers from {@link attemptHeaders}, for kinds that sign each
   * attempt. Never for credentials.
   */
  readonly keepsAttemptHeaders?: boolean;
  /** Returns the existing targets among `ids`, in one statement. */
  loadTargets(db: Queryable, ids: string[]): Promise<Map<string, Target>>;
  /** Returns headers of this attempt, in addition to the stored ones. */
  attemptHeaders(delivery: ClaimedDelivery, target: Target, facts: AttemptFacts): Record<string, string>;
  /**
   * Returns whether {@link attemptHeaders} reads `lastFailure` in a retry of this delivery. Costs
   * one statement per batch of such retries. Absent: never.
   */
  readsLastFailure?(delivery: ClaimedDelivery): boolean;
  /** Classifies a response status. Transport errors and timeouts are always retried. */
  classify(status: number): 'success' | 'retry' | 'dead';
  /**
   * The counter of dead letters that {@link settled} updates, or null if successes change nothing
   * of the kind. Batches of successes are then settled in one statement, which resets the counter.
   */
  readonly deadLetters?: DeadLetterCounter | null;
  /**
   * Called in the transaction that settles a batch, with the counted deliveries that ended, in
   * order. Update counters here ({@link countDeadLetters}). Several workers may settle
   * concurrently, so lock what you count.
   */
  settled(tx: Tx, results: SettledDelivery[]): Promise<void>;
  /**
   * Called in a transaction, once per opening, when a target's breaker has been open for 15
   * minutes, to notify admins. Does nothing for a target that no longer gets deliveries.
   */
  staysUnreachable?(tx: Tx, target: TargetKey): Promise<void>;
  /**
   * What to do when a target reaches the threshold of dead letters. Absent if targets are never
   * disabled.
   */
  readonly exhaustion?: Exhaustion;
}

/** Names a delivery's target. */
export interface TargetOf {
  kind: string;
  targetId: string;
}

/** Targets by kind and id: `outgoing/<id>`. */
export type TargetMap = Map<string, { kind: DeliveryKind; target: DeliveryTarget }>;

/** Registry of kinds. Features register theirs when their worker module starts. */
export class DeliveryKinds {
  private readonly kinds = new Map<string, DeliveryKind>();

  /** @throws Error if the name is taken */
  register<Target extends DeliveryTarget>(kind: DeliveryKind<Target>): void {
    if (this.kinds.has(kind.name)) throw new Error(`delivery kind ${kind.name} is already registered`);
    this.kinds.set(kind.name, kind as unknown as DeliveryKind);
  }

  /** All registered kinds. */
  get all(): DeliveryKind[] {
    return [...this.kinds.values()];
  }

  /** Returns the kind with that name, or undefined if no feature of this process registered it. */
  find(name: string): DeliveryKind | undefined {
    return this.kinds.get(name);
  }
}
