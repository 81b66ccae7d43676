import type { Db } from '@tieline/platform/database';
import { PlanningLimit } from './planning-limit.js';
import { OutboxRelay } from '../outbox-relay.js';
import type { OutboxSubscriber } from '../outbox-subscriber.js';
import type { RelayEvents } from '../relay-events.js';
import { RelayLeadership } from './relay-leadership.js';
import { SchemaMismatchDetector } from '../schema-mismatch-detector.js';
import { OutboxShard } from './outbox-part.js';
import { shardOfSlot, SLOTS, WHOLE } from './shard.js';
import type { Shard } from './shard.js';
import { ShardLeadership } from './shard-leadership.js';

/** Options of the relays. */
export interface RelayOptions {
  databaseUrl: string;
  /** Number of relays that share the outbox. Default 1. */
  shards?: number;
  /** Maximum number of concurrent planning transactions of this process. Default 1. */
  maxConcurrent?: number;
  /** Creates the event handlers of a shard's relay. */
  eventsOf?: (shard: Shard) => RelayEvents;
}

/**
 * The relays of this process, one per shard. Those that lead work concurrently, each with its own
 * subscribers.
 */
export class OutboxRelays {
  private readonly relays: { shard: Shard; relay: OutboxRelay }[];

  constructor(
    db: Db,
    { databaseUrl, shards: count = 1, maxConcurrent = 1, eventsOf = () => ({}) }: RelayOptions,
  ) {
    if (count === 1) {
      const relay = new OutboxRelay(db, new RelayLeadership(databaseUrl), eventsOf(WHOLE));
      this.relays = [{ shard: WHOLE, relay }];
      return;
    }
    const leadership = new ShardLeadership(databaseUrl, count);
    // A schema mismatch affects all shards.
    const schema = new SchemaMismatchDetector();
    const limit = new PlanningLimit(maxConcurrent);
    this.relays = Array.from({ length: count }, (_, number) => {
      const shard = { count, number };
      const part = new OutboxShard(shard, limit);
      return { shard, relay: new OutboxRelay(db, leadership.of(number), eventsOf(shard), part, schema) };
    });
  }

  /**
   * Adds a subscriber to each relay. Call it before `start`. Subscribers plan in the order in which
   * they were added.
   * @param make creates the subscriber of a shard
   */
  subscribe(make: (shard: Shard) => OutboxSubscriber): void {
    for (const { shard, relay } of this.relays) relay.subscribe(make(shard));
  }

  /**
   * Sets the check for spaces that already fill their share of a lane. Planning more of their
   * events can wait while other spaces are active.
   */
  setFillingCheck(isFilling: (spaceId: string) => boolean): void {
    for (const { relay } of this.relays) relay.setFillingCheck(isFilling);
  }

  start(): void {
    for (const { relay } of this.relays) relay.start();
  }

  /** Number of space slots that this process relays. */
  get slots(): number {
    return this.leading.length * (SLOTS / this.relays.length);
  }

  /** The numbers of the shards that this process leads. */
  get leading(): number[] {
    return this.relays.flatMap(({ shard, relay }) => (relay.leading ? shard.number : []));
  }

  /**
   * Wakes the relays.
   * @param slots slots with new events; all relays wake without it
   */
  wake(slots?: readonly number[]): void {
    const count = this.relays.length;
    const numbers = slots && new Set(slots.map((slot) => shardOfSlot(slot, count)));
    for (const { shard, relay } of this.relays) if (!numbers || numbers.has(shard.number)) relay.wake();
  }

  /** Finishes the current batches and gives up the leadership. */
  async stop(): Promise<void> {
    await Promise.all(this.relays.map(({ relay }) => relay.stop()));
  }
}
