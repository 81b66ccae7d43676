import type { DeliveryEngine } from '../delivery-engine.js';
import { LANES } from '../claims/claim-deliveries.js';
import type { Probe } from '../claims/claim-deliveries.js';
import type { DeliveryClaims } from '../claims/delivery-claims.js';
import { DeliveryLane } from './delivery-lane.js';
import { AttemptStarter } from './attempt-starter.js';
import type { LaneLimits, LaneParts } from './lane-parts.js';
import { LaneGroup } from './lane-group.js';
import type { PlannedWork } from './planned-targets.js';

/** The limits of each lane. */
export type LanesLimits = Readonly<Record<keyof typeof LANES, LaneLimits>>;

/** First attempts get the largest share. A hanging target fills only its own few places. */
export const LANE_LIMITS: LanesLimits = {
  first: { capacity: 512, perTarget: 16 },
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

  constructor(
    private readonly claims: DeliveryClaims,
    engine: DeliveryEngine,
    { failed, due }: Pick<LaneParts, 'failed' | 'due'>,
    limits: LanesLimits = LANE_LIMITS,
  ) {
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
    engine.rates.onOpen(() => this.wake());
    engine.onReleased(() => this.deliveries.start());
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

  /** Stops claiming. Resolves when every attempt in flight is over and its result is written. */
  async stop(): Promise<void> {
    await Promise.all([this.deliveries.stop(), this.retries.stop()]);
  }
}
