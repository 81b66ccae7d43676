import type { DeliveryEngine } from '../delivery-engine.js';
import { LANES } from '../claims/claim-deliveries.js';
import type { Probe } from '../claims/claim-deliveries.js';
import type { DeliveryClaims } from '../claims/delivery-claims.js';
import { DeliveryLane } from './delivery-lane.js';
import { AttemptStarter } from './attempt-starter.js';
import type { LaneLimits, LaneParts } from './lane-parts.js';
import { LaneGroup } from './lane-group.js';
import { DirectBatch } from '../direct/direct-batch.js';
import type { DirectParts } from '../direct/direct-batch.js';
import type { PlannedWork } from './planned-targets.js';
import { lineSubject } from '../results/lines.js';
import type { Line } from '../results/lines.js';

/** The limits of each lane. */
export type LanesLimits = Readonly<Record<keyof typeof LANES, LaneLimits>>;

/** First attempts get the largest share. A hanging target fills only its own few places. */
export const LANE_LIMITS: LanesLimits = {
  first: { capacity: 512, perTarget: 16, perQuickTarget: 64 },
  retry: { capacity: 256, perTarget: 8 },
  test: { capacity: 16, perTarget: 2 },
};

/** All lanes of a worker. The processors run them. */
export class DeliveryLanes {
  /** First attempts and test sends. */
  readonly deliveries: LaneGroup;
  readonly retries: LaneGroup;
  private readonly lanes: DeliveryLane[];
  private readonly first: DeliveryLane;
  private readonly direct: DirectParts;
  /** Plans and releases under way, which may send more. */
  private readonly open = new Set<Promise<void>>();
  private readonly failed: LaneParts['failed'];
  private stopping = false;

  constructor(
    private readonly claims: DeliveryClaims,
    engine: DeliveryEngine,
    { failed, due }: Pick<LaneParts, 'failed' | 'due'>,
    limits: LanesLimits = LANE_LIMITS,
  ) {
    this.failed = failed;
    const parts: LaneParts = {
      claim: (request) => claims.claim(engine.rates.withReserved(request)),
      prepare: (batch) => engine.prepare(batch),
      renew: (delivery) => claims.renew(delivery),
      settle: (result) => engine.settle(result),
      failed,
      due,
    };
    const starter = new AttemptStarter();
    const lane = (name: keyof typeof LANES): DeliveryLane =>
      new DeliveryLane(LANES[name], limits[name], parts, starter);
    const [first, retry, test] = [lane('first'), lane('retry'), lane('test')];
    this.first = first;
    this.lanes = [first, retry, test];
    this.deliveries = new LaneGroup([first, test]);
    this.retries = new LaneGroup([retry]);
    const { perTarget } = limits.first;
    this.direct = {
      places: (spaceIds) =>
        first.placesForPlanned(
          spaceIds,
          (inFlight) => engine.rates.withReserved({ lane: LANES.first, perTarget, inFlight }).inFlight,
        ),
      loadTargets: (db, deliveries) => engine.loadTargets(db, deliveries),
      send: (batch, askedAt, targets) => {
        first.send(batch, askedAt, (claimed) => engine.prepare(claimed, targets));
        this.deliveries.keepRunning(first);
      },
    };
    engine.rates.onOpen(() => this.wake());
    engine.onLinesEnded((lines) => void this.continueLines(lines));
  }

  /** Deliveries claimed and not yet settled. */
  get busy(): number {
    return this.lanes.reduce((sum, { busy }) => sum + busy, 0);
  }

  /**
   * Wakes the running lanes.
   * @param work what was planned, if known
   */
  wake(work?: PlannedWork): void {
    this.deliveries.wake(work);
    this.retries.wake(work);
  }

  /** Starts or wakes the lanes of first attempts and test sends. @param work what was planned */
  start(work: PlannedWork | undefined): void {
    this.deliveries.start(work);
  }

  /** Whether first attempts run here and have room for more. */
  get canTakeAll(): boolean {
    return this.first.canTakeAll;
  }

  /** Returns whether the space's first attempts already fill their share here. */
  areFilledBy(spaceId: string): boolean {
    return this.first.isFilledBy(spaceId);
  }

  /** Lets one delivery through to each target whose probe was granted to this worker. */
  probe(probes: Probe[]): void {
    if (probes.length === 0) return;
    this.claims.probe(probes);
    this.deliveries.start();
    this.retries.start();
  }

  /**
   * Begins a planning transaction whose deliveries may be leased to this worker and sent without a
   * claim. Returns undefined while this worker can't lease any.
   */
  beginDirect(): DirectBatch | undefined {
    const { lease } = this.claims;
    if (!lease || this.stopping) return undefined;
    let ended: () => void = () => undefined;
    void this.keepOpen(new Promise<void>((resolve) => (ended = resolve)));
    return new DirectBatch(lease, this.direct, ended);
  }

  /**
   * Releases the next deliveries of lines. Those that get a place here are leased by the same
   * statement and sent without a claim. After a failure a sweep releases them.
   */
  continueLines(ended: readonly Line[]): Promise<void> {
    return this.keepOpen(this.releaseNext(ended).catch((error: unknown) => this.failed(error)));
  }

  private async releaseNext(ended: readonly Line[]): Promise<void> {
    const lines = new Map(ended.map((line) => [lineSubject(line), line]));
    const { lease } = this.claims;
    const places = lease && this.direct.places([...lines.values()].map(({ spaceId }) => spaceId));
    const reserved = new Map([...lines].filter(([, line]) => places?.take(line)));
    const askedAt = performance.now();
    try {
      const { leased, due } = await this.claims.continueLines(lines, reserved, lease);
      for (const subject of leased.keys()) reserved.delete(subject);
      if (leased.size > 0) this.direct.send([...leased.values()], askedAt);
      if (due.size > 0) this.deliveries.start(new Map([[LANES.first, { targets: due, areAll: true }]]));
    } finally {
      for (const line of reserved.values()) places?.free(line);
    }
  }

  private keepOpen(work: Promise<void>): Promise<void> {
    const open = work.finally(() => this.open.delete(open));
    this.open.add(open);
    return open;
  }

  /** Stops claiming. Resolves when every attempt in flight is over and its result is written. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.open);
    await Promise.all([this.deliveries.stop(), this.retries.stop()]);
    await Promise.all(this.open);
  }
}
