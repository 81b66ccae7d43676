import { LEASE_OWNER_LOCKS, Loop } from '@tieline/background';
import type { LoopSettings } from '@tieline/background';
import { uuidFloor } from '@tieline/partitions';
import { unprepared } from '@tieline/platform/database';
import type { Db, DueChecks, RowOf } from '@tieline/platform/database';
import type { Queue } from '@tieline/queue';
import { BREAKER } from '../delivery-engine.js';
import { DELIVERIES_QUEUE, RETRIES_QUEUE } from '../delivery-queues.js';
import { grantProbes } from './claim-deliveries.js';
import { PROBES_ARE_DUE } from './claims.statements.js';
import type { DeliveryKinds } from '../delivery-kinds.js';
import type { ClaimedDelivery, RetryProfile } from '../delivery.types.js';
import type { DeliveryLanes } from '../lanes/delivery-lanes.js';
import type { LaneGroup } from '../lanes/lane-group.js';
import type { LeaseOwner } from './lease-owner.js';
import { releaseDeadLeases } from './lease-owner.js';
import { DUE_LANES, LEASE_EXPIRED, SWEEP_IS_DUE } from './leases.statements.js';
import { LINES } from '../plan-deliveries.js';
import { RELEASE_STUCK } from '../results/ordered.statements.js';
import { parseLine } from '../results/lines.js';
import { notifyLongOpenBreakers } from '../results/long-open-breakers.js';
import { settleDeliveries } from '../results/settle-deliveries.js';

const SWEEP_MS = 2000;
const EXPIRE_MS = 60_000;
const NOTIFY_MS = 20_000;
const HOUR_MS = 3_600_000;
/** After this many hours a postponed delivery is dead (docs/outgoing-webhooks.md#retries). */
const POSTPONED_MAX_HOURS: Readonly<Record<RetryProfile, number>> = { contract: 24, extended: 72 };

/**
 * Finds work that no wake-up reported: due rows, leases of dead workers, breakers to probe or to
 * notify admins of, and deliveries postponed for too long. It depends only on timers and commits of
 * this process. While the queue is unavailable, it runs the lanes itself.
 */
export class DeliverySweeper {
  private readonly loops: Loop[] = [];
  /** Groups whose queue was woken by the last sweep. */
  private readonly woken = new Set<LaneGroup>();
  private unsubscribe: () => void = () => undefined;

  constructor(
    private readonly db: Db,
    private readonly checks: DueChecks,
    private readonly lanes: DeliveryLanes,
    private readonly queue: Queue,
    private readonly kinds: DeliveryKinds,
    private readonly owner: LeaseOwner,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Sweeps immediately, then when a check finds something, every two seconds at most. */
  start(): void {
    const sweeping = this.loop(() => this.sweep(), { restMs: SWEEP_MS });
    sweeping.wake();
    this.checks.register(
      { statement: SWEEP_IS_DUE, values: () => [LEASE_OWNER_LOCKS, this.idleLanes] },
      (due) => {
        if (due) sweeping.wake();
      },
    );
    const probing = this.loop(async () => this.lanes.probe(await grantProbes(this.db, BREAKER.openMs)));
    this.checks.register({ statement: PROBES_ARE_DUE }, (due) => {
      if (due) probing.wake();
    });
    this.unsubscribe = this.db.onSignal(
      LINES,
      (subjects) => void this.lanes.continueLines(subjects.map(parseLine)),
    );
    // Running lanes look by themselves.
    this.every(SWEEP_MS, async () => this.lanes.wake());
    this.every(
      EXPIRE_MS,
      async () => void (await expirePostponed(this.db, this.kinds, await this.owner.current())),
    );
    this.every(NOTIFY_MS, async () => void (await notifyLongOpenBreakers(this.db, this.kinds)));
  }

  async stop(): Promise<void> {
    this.unsubscribe();
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }

  private async sweep(): Promise<void> {
    await releaseDeadLeases(this.db);
    await this.db.query(unprepared(RELEASE_STUCK));
    this.lanes.wake();
    await this.ensureRunning(DELIVERIES_QUEUE, this.lanes.deliveries);
    await this.ensureRunning(RETRIES_QUEUE, this.lanes.retries);
  }

  /**
   * Wakes the queue if the group has due deliveries and no run here. If that fails, or had no
   * effect since the last sweep, starts the lanes here.
   */
  private async ensureRunning(queue: string, group: LaneGroup): Promise<void> {
    const again = this.woken.delete(group);
    if (group.isRunning) return;
    if ((await this.db.query(unprepared(DUE_LANES), [group.numbers])).length === 0) return;
    if (again || !(await this.queue.wake(queue))) group.start();
    else this.woken.add(group);
  }

  /** The lanes of groups that do not run. Running ones find their deliveries themselves. */
  private get idleLanes(): number[] {
    const { deliveries, retries } = this.lanes;
    return [deliveries, retries].flatMap(({ isRunning, numbers }) => (isRunning ? [] : numbers));
  }

  private every(everyMs: number, task: () => Promise<void>): Loop {
    return this.loop(task, { everyMs }).start();
  }

  private loop(task: () => Promise<void>, settings: LoopSettings = {}): Loop {
    const loop = new Loop(task, { ...settings, failed: (error) => this.failed(error) });
    this.loops.push(loop);
    return loop;
  }
}

type ExpiredRow = RowOf<typeof LEASE_EXPIRED>;

/**
 * Closes deliveries as dead that a breaker or rate has postponed for over 24 hours, or 72 with the
 * profile `extended`.
 * @returns the number of deliveries
 */
export async function expirePostponed(
  db: Db,
  kinds: DeliveryKinds,
  owner: number,
  now = new Date(),
): Promise<number> {
  const oldest = (profile: RetryProfile): string =>
    uuidFloor(new Date(now.getTime() - POSTPONED_MAX_HOURS[profile] * HOUR_MS));
  const bounds = [oldest('contract'), owner, oldest('extended')];
  const rows = await db.query(unprepared(LEASE_EXPIRED), bounds);
  if (rows.length === 0) return 0;
  const results = rows.map((row) => {
    const delivery = toExpired(row);
    const error = `postponed for over ${POSTPONED_MAX_HOURS[delivery.retryProfile]} hours`;
    return { delivery, outcome: { kind: 'dead' as const, error } };
  });
  await settleDeliveries(db, kinds, BREAKER, results);
  return rows.length;
}

function toExpired(row: ExpiredRow): ClaimedDelivery {
  const { id, spaceId, kind, targetId, attempts, counts, lease } = row;
  const retryProfile = row.extended ? 'extended' : 'contract';
  const nothing = {
    eventId: '',
    eventType: '',
    headers: {},
    body: null,
    maxAttempts: 0,
    createdAt: new Date(0),
    resent: false,
  };
  return { ...nothing, id, kind, attempts, retryProfile, counts, lease, spaceId, targetId };
}
