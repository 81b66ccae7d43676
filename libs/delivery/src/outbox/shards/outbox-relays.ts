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

/** How the outbox is relayed. */
export interface RelayOptions {
  databaseUrl: string;
  /** How many relays share it; 1, the default: none does. */
  shards?: number;
  /** Transactions of this process that plan at the same time; default 1. */
  maxConcurrent?: number;
  /** What is told of each shard's relay. */
  eventsOf?: (shard: Shard) => RelayEvents;
}

/**
 * The relays of this process, one for each shard of the outbox: those that lead work side by side,
 * each with its own subscribers.
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
    // What does not fit the schema does not fit it in any shard.
    const schema = new SchemaMismatchDetector();
    const limit = new PlanningLimit(maxConcurrent);
    this.relays = Array.from({ length: count }, (_, number) => {
      const shard = { count, number };
      const part = new OutboxShard(shard, limit);
      return { shard, relay: new OutboxRelay(db, leadership.of(number), eventsOf(shard), part, schema) };
    });
  }

  /**
   * @param make a subscriber for each shard; before `start`. Subscribers plan in the order in which
   * they were added.
   */
  subscribe(make: (shard: Shard) => OutboxSubscriber): void {
    for (const { shard, relay } of this.relays) relay.subscribe(make(shard));
  }

  /**
   * @param isFilling whether deliveries of a space wait for places as it is: planning more of them,
   * beside others, is no hurry
   */
  setFillingCheck(isFilling: (spaceId: string) => boolean): void {
    for (const { relay } of this.relays) relay.setFillingCheck(isFilling);
  }

  start(): void {
    for (const { relay } of this.relays) relay.start();
  }

  /** How many of the slots that spaces are divided into this process relays. */
  get slots(): number {
    return this.leading.length * (SLOTS / this.relays.length);
  }

  /** The numbers of the shards that this process relays. */
  get leading(): number[] {
    return this.relays.flatMap(({ shard, relay }) => (relay.leading ? shard.number : []));
  }

  /** There may be events: look now. @param slots where; everywhere when it is not said */
  wake(slots?: readonly number[]): void {
    const count = this.relays.length;
    const numbers = slots && new Set(slots.map((slot) => shardOfSlot(slot, count)));
    for (const { shard, relay } of this.relays) if (!numbers || numbers.has(shard.number)) relay.wake();
  }

  /** Finishes the batches in hand and gives the leadership up. */
  async stop(): Promise<void> {
    await Promise.all(this.relays.map(({ relay }) => relay.stop()));
  }
}
