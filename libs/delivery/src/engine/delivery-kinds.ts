import type { Db, Tx } from '@tieline/platform/database';
import type { ClaimedDelivery, SettledDelivery } from './delivery.types.js';
import type { Exhaustion, TargetKey } from './results/exhausted-targets.js';

/** Where deliveries go, read afresh for every batch of attempts. */
export interface DeliveryTarget {
  url: string;
  /** False: counted deliveries die with `subscription inactive` and nothing is sent. */
  active: boolean;
  /** Deliveries per second at most; absent: no limit. */
  ratePerSecond?: number;
}

/** Facts of one attempt that headers may depend on. */
export interface AttemptFacts {
  /** 1-based. */
  attempt: number;
  now: Date;
}

/** What a feature tells the engine about its deliveries. */
export interface DeliveryKind<Target extends DeliveryTarget = DeliveryTarget> {
  readonly name: string;
  /**
   * `public`: people choose the addresses, which must be public and HTTPS; `configured`: admins and
   * bots do, and the operator may open more.
   */
  readonly reach: 'configured' | 'public';
  /**
   * Whether the log keeps what {@link attemptHeaders} gave: where signatures are made afresh for
   * every attempt. Never for credentials.
   */
  readonly keepsAttemptHeaders?: boolean;
  /** The targets that exist among `ids`; one statement. */
  loadTargets(db: Db, ids: string[]): Promise<Map<string, Target>>;
  /** Headers of this attempt, in addition to the stored ones. */
  attemptHeaders(delivery: ClaimedDelivery, target: Target, facts: AttemptFacts): Record<string, string>;
  /** What an answer's status means. Transport errors and timeouts are always retried. */
  classify(status: number): 'success' | 'retry' | 'dead';
  /**
   * Called inside the transaction that settles a batch, with the counted deliveries that ended in
   * it, in order. Counters go here ({@link countDeadLetters}); several workers may settle at once,
   * so lock what is counted.
   */
  settled(tx: Tx, results: SettledDelivery[]): Promise<void>;
  /**
   * Called inside a transaction, once for each time that a target's breaker has been open for 15
   * minutes: admins should know. Nothing for a target that gets no deliveries any more.
   */
  staysUnreachable?(tx: Tx, target: TargetKey): Promise<void>;
  /** What follows when a target reached the threshold; absent where none is switched off. */
  readonly exhaustion?: Exhaustion;
}

/** The registry of kinds; features register theirs when their worker module starts. */
export class DeliveryKinds {
  private readonly kinds = new Map<string, DeliveryKind>();

  /** @throws Error when the name is taken. */
  register<Target extends DeliveryTarget>(kind: DeliveryKind<Target>): void {
    if (this.kinds.has(kind.name)) throw new Error(`delivery kind ${kind.name} is registered already`);
    this.kinds.set(kind.name, kind as unknown as DeliveryKind);
  }

  /** Every kind that is registered. */
  get all(): DeliveryKind[] {
    return [...this.kinds.values()];
  }

  /** The kind of that name; undefined when no feature of this process registered it. */
  find(name: string): DeliveryKind | undefined {
    return this.kinds.get(name);
  }
}
