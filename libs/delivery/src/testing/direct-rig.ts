import { uuidv7 } from 'uuidv7';
import { openDb, runInWorkerTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { EgressClient, EgressPolicy } from '@tieline/egress';
import { PostgresRateLimiter } from '@tieline/rate-limit';
import { createTestDatabase, readRows, startReceiver } from '@tieline/testing';
import type { Receiver, TestDatabase } from '@tieline/testing';
import { BREAKER, DeliveryEngine } from '../engine/delivery-engine.js';
import { DeliveryKinds } from '../engine/delivery-kinds.js';
import type { DeliveryTarget } from '../engine/delivery-kinds.js';
import { rotatePartitions } from '../engine/delivery-partitions.js';
import type { NewDelivery } from '../engine/delivery.types.js';
import { planDirectly } from '../engine/direct/current-batch.js';
import type { DirectBatch } from '../engine/direct/direct-batch.js';
import { DeliveryClaims } from '../engine/claims/delivery-claims.js';
import { LeaseOwner } from '../engine/claims/lease-owner.js';
import { DeliveryLanes } from '../engine/lanes/delivery-lanes.js';
import { planDeliveries } from '../engine/plan-deliveries.js';

const SPACE = uuidv7();
const POLICY = { initialMs: 60_000, maxMs: 60_000, timeoutMs: 60_000, maxAttempts: 8 };

/** The lanes of one worker, which plan, lease and send like the relay's. */
export class DirectRig {
  readonly kinds = new DeliveryKinds();
  /** Resolves the host names of targets. */
  resolve: () => Promise<string[]> = () => Promise.resolve([]);
  receiver!: Receiver;
  owner!: LeaseOwner;
  lanes!: DeliveryLanes;
  /** Number of claims in this test. */
  claims = 0;
  /** Failures of the lanes in this test. */
  failures: unknown[] = [];
  private readonly targets = new Map<string, DeliveryTarget>();
  private readonly egress = new EgressClient(
    new EgressPolicy({
      allowHttp: true,
      allowedCidrs: ['127.0.0.0/8'],
      resolve: () => this.resolve(),
    }),
    { version: '0', connectTimeoutMs: 60_000 },
  );

  private constructor(
    private readonly database: TestDatabase,
    readonly db: Db,
    private readonly limiter: PostgresRateLimiter,
  ) {
    this.kinds.register({
      name: 'outgoing',
      reach: 'configured',
      deadLetters: null,
      loadTargets: async (_db, ids) =>
        new Map(
          ids.flatMap((id) => (this.targets.has(id) ? [[id, this.targets.get(id) as DeliveryTarget]] : [])),
        ),
      attemptHeaders: ({ id }) => ({ 'x-id': id }),
      classify: (status) => (status < 300 ? 'success' : 'retry'),
      settled: async () => undefined,
    });
  }

  static async start(): Promise<DirectRig> {
    const database = await createTestDatabase();
    const db = await openDb({ databaseUrl: database.url });
    const limiter = new PostgresRateLimiter({ databaseUrl: database.url, deadlineMs: 60_000 });
    await rotatePartitions(db);
    return new DirectRig(database, db, limiter);
  }

  /** Starts a worker for a test. */
  async begin(): Promise<void> {
    this.receiver = await startReceiver();
    this.owner = new LeaseOwner(this.database.url);
    await this.owner.current();
    const engine = new DeliveryEngine(
      this.db,
      this.egress,
      this.limiter,
      this.kinds,
      { attempts: POLICY, breaker: BREAKER },
      { finished: () => undefined, failed: () => undefined },
    );
    this.claims = 0;
    this.failures = [];
    const count = (): void => void (this.claims += 1);
    class CountedClaims extends DeliveryClaims {
      override claim(...request: Parameters<DeliveryClaims['claim']>): ReturnType<DeliveryClaims['claim']> {
        count();
        return super.claim(...request);
      }
    }
    this.lanes = new DeliveryLanes(new CountedClaims(this.db, this.owner, 3_600_000), engine, {
      failed: (error) => void this.failures.push(error),
      due: () => undefined,
    });
  }

  /** Ends the worker and empties the queue. */
  async end(): Promise<void> {
    await this.lanes.stop();
    await this.owner.close();
    await this.receiver.close();
    await this.db.query('TRUNCATE delivery_queue, delivery_targets');
  }

  async close(): Promise<void> {
    await this.limiter.close();
    await this.egress.close();
    await this.db.close();
    await this.database.drop();
  }

  /** Adds a target at the receiver. @returns its id */
  target(more: Partial<DeliveryTarget> = {}): string {
    const id = uuidv7();
    this.targets.set(id, { url: `${this.receiver.url}/hook`, active: true, ...more });
    return id;
  }

  async openBreaker(targetId: string): Promise<void> {
    await this.db.query(
      `INSERT INTO delivery_targets (target_id, space_id, kind, failures, open_until) VALUES ($1, $2, 'outgoing', 10, now() + interval '1 hour')`,
      [targetId, SPACE],
    );
  }

  /**
   * Plans deliveries in one call.
   * @param more what the n-th one has besides, or all of them
   */
  async planIn(
    tx: Tx,
    targetId: string,
    count: number,
    more: Partial<NewDelivery> | ((n: number) => Partial<NewDelivery>) = {},
    batch?: DirectBatch,
  ): Promise<void> {
    if (batch) planDirectly(tx, batch);
    const payload = { id: uuidv7(), spaceId: SPACE, body: Buffer.from('{"exact": 1.0}') };
    const one = (_: unknown, n: number): NewDelivery => ({
      ...{ id: uuidv7(), spaceId: SPACE, kind: 'outgoing', targetId, eventId: uuidv7(), eventType: 'X' },
      ...{ payloadId: payload.id, headers: { 'x-planned': '1' } },
      ...(typeof more === 'function' ? more(n) : more),
    });
    await planDeliveries(tx, [payload], Array.from({ length: count }, one));
  }

  /** Plans like the relay, and sends after the commit. @returns how many deliveries were leased */
  async plan(
    targetId: string,
    count = 1,
    more: Partial<NewDelivery> | ((n: number) => Partial<NewDelivery>) = {},
  ): Promise<number> {
    const batch = this.lanes.beginDirect();
    const before = this.lanes.busy;
    const leased = await runInWorkerTx(this.db, async (tx) => {
      await this.planIn(tx, targetId, count, more, batch);
      return this.lanes.busy - before;
    });
    batch?.send(true);
    return leased;
  }

  /** The number of the target's leased deliveries. */
  async leases(targetId: string): Promise<number> {
    const rows = await readRows<{ n: number }>(
      this.db,
      'SELECT count(lease)::int AS n FROM delivery_queue WHERE target_id = $1',
      [targetId],
    );
    return rows[0]?.n ?? 0;
  }

  /** The number of queued deliveries. */
  async left(): Promise<number> {
    return (await this.db.query('SELECT 1 FROM delivery_queue')).length;
  }
}
