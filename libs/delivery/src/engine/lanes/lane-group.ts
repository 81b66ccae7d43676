import type { DeliveryLane } from './delivery-lane.js';
import type { PlannedWork } from './planned-targets.js';

/**
 * The lanes of one processor. While its job runs one of them, new work in any of them is claimed
 * immediately.
 */
export class LaneGroup {
  private readonly runs = new Set<Promise<void>>();

  constructor(private readonly lanes: readonly DeliveryLane[]) {}

  /** The numbers of the lanes. */
  get numbers(): number[] {
    return this.lanes.map(({ lane }) => lane);
  }

  /** Whether any lane is running. */
  get isRunning(): boolean {
    return this.runs.size > 0;
  }

  /**
   * Wakes the lanes while one of them runs. Otherwise the queue starts them. Without known work,
   * lanes that have ended run only if they find any: otherwise lanes that look every two seconds
   * would keep each other running.
   * @param work what was planned, if known
   */
  wake(work?: PlannedWork): void {
    if (this.isRunning) this.start(work, work !== undefined);
  }

  /** Wakes or starts all lanes, or those with new work. */
  start(work?: PlannedWork, stay = true): void {
    for (const lane of this.lanes) {
      if (work?.has(lane.lane) === false) continue;
      if (lane.isRunning) {
        lane.wake(work?.get(lane.lane));
        continue;
      }
      this.track(lane.run({ stay }));
    }
  }

  /** Keeps the lane running while it sends deliveries that it did not claim. */
  keepRunning(lane: DeliveryLane): void {
    if (!lane.isRunning) this.track(lane.run({ look: false }));
  }

  /**
   * Runs the lanes until there is no work in any of them. Only wakes them if they are already
   * running.
   * @param signal stops the lanes for good
   */
  async run(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const kept = this.isRunning;
    this.start();
    if (kept) return;
    const end = (): void => this.end();
    signal.addEventListener('abort', end);
    await this.waitForRuns();
    signal.removeEventListener('abort', end);
  }

  /** Stops claiming. Resolves when every attempt in flight is over and its result is written. */
  async stop(): Promise<void> {
    this.end();
    await this.waitForRuns();
  }

  private track(ended: Promise<void>): void {
    const run = ended.finally(() => this.runs.delete(run));
    this.runs.add(run);
  }

  private end(): void {
    for (const lane of this.lanes) lane.end();
  }

  private async waitForRuns(): Promise<void> {
    while (this.runs.size > 0) await Promise.all(this.runs);
  }
}
