import { Loop } from '@tieline/platform/background';
import { uuidFloor, unprepared } from '@tieline/platform/database';
import type { Db, RowOf } from '@tieline/platform/database';
import { BREAKER } from '../delivery-engine.js';
import type { DeliveryEngine, EngineEvents } from '../delivery-engine.js';
import { grantProbes } from './claim-deliveries.js';
import type { DeliveryKinds } from '../delivery-kinds.js';
import type { ClaimedDelivery } from '../delivery.types.js';
import type { LeaseOwner } from './lease-owner.js';
import { releaseDeadLeases } from './lease-owner.js';
import { LEASE_EXPIRED } from './leases.statements.js';
import { settleDeliveries } from '../results/settle-deliveries.js';

const SWEEP_MS = 2000;
const PROBE_MS = 500;
const EXPIRE_MS = 60_000;
/** A delivery that is still postponed after this long is dead (decisions, section 4). */
export const POSTPONED_MAX_MS = 86_400_000;

/**
 * Finds what nothing woke: due rows, leases of dead workers, breakers to be probed, deliveries postponed for too long. Runs on clocks of this process alone, so that it works whatever else is down.
 */
export class DeliverySweeper {
  private readonly loops: Loop[] = [];

  constructor(
    private readonly db: Db,
    private readonly engine: DeliveryEngine,
    private readonly kinds: DeliveryKinds,
    private readonly owner: LeaseOwner,
    private readonly events: EngineEvents,
  ) {}

  start(): void {
    this.every(SWEEP_MS, () => this.sweep());
    this.every(PROBE_MS, async () => this.engine.probe(await grantProbes(this.db, BREAKER.openMs)));
    this.every(
      EXPIRE_MS,
      async () => void (await expirePostponed(this.db, this.kinds, await this.owner.current())),
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }

  private async sweep(): Promise<void> {
    await releaseDeadLeases(this.db);
    this.engine.wake();
  }

  private every(everyMs: number, task: () => Promise<void>): void {
    const failed = (error: unknown): void => this.events.failed(error);
    this.loops.push(new Loop(task, { everyMs, failed }).start());
  }
}

type ExpiredRow = RowOf<typeof LEASE_EXPIRED>;

/**
 * Dead-letters what has been postponed by a breaker or a rate for over 24 hours.
 * @returns how many
 */
export async function expirePostponed(
  db: Db,
  kinds: DeliveryKinds,
  owner: number,
  now = new Date(),
): Promise<number> {
  const rows = await db.query(unprepared(LEASE_EXPIRED), [
    uuidFloor(new Date(now.getTime() - POSTPONED_MAX_MS)),
    owner,
  ]);
  if (rows.length === 0) return 0;
  const error = 'postponed for over 24 hours';
  const results = rows.map((row) => ({
    delivery: toExpired(row),
    outcome: { kind: 'dead' as const, error },
  }));
  await settleDeliveries(db, kinds, BREAKER, results);
  return rows.length;
}

function toExpired(row: ExpiredRow): ClaimedDelivery {
  const { id, kind, attempts, counts, lease } = row;
  const nothing = {
    eventId: '',
    eventType: '',
    headers: {},
    body: null,
    maxAttempts: 0,
    createdAt: new Date(0),
  };
  return { ...nothing, id, kind, attempts, counts, lease, spaceId: row.space_id, targetId: row.target_id };
}
