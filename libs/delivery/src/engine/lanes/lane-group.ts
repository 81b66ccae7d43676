import type { DeliveryLane } from './delivery-lane.js';
import type { PlannedWork } from './planned-targets.js';

/**
 * The lanes of one processor: while its job keeps one of them, new work in any of them is taken at
 * once.
 */
export class LaneGroup {
  private readonly runs = new Set<Promise<void>>();

  constructor(private readonly lanes: readonly DeliveryLane[]) {}

  /** Which lanes these are, as numbers. */
  get numbers(): number[] {
    return this.lanes.map(({ lane }) => lane);
  }

  /** Whether a run keeps the lanes just now. */
  get isRunning(): boolean {
    return this.runs.size > 0;
  }

  /**
   * There may be work. Without a run nothing happens: the queue begins one. @param work what was
   * planned, if that is known
   */
  wake(work?: PlannedWork): void {
    if (this.isRunning) this.start(work);
  }

  /** Has the lanes look, whoever keeps them: all, or those that something was planned in. */
  start(work?: PlannedWork): void {
    for (const lane of this.lanes) {
      if (work?.has(lane.lane) === false) continue;
      if (lane.isRunning) {
        lane.wake(work?.get(lane.lane));
        continue;
      }
      const run = lane.run().finally(() => this.runs.delete(run));
      this.runs.add(run);
    }
  }

  /**
   * Keeps the lanes until there is no work in any of them. Returns at once when another run keeps
   * them: they have been told.
   * @param signal ends them; they do not start again
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

  /** Claims nothing more; resolves when every attempt in flight is over and its result written. */
  async stop(): Promise<void> {
    this.end();
    await this.waitForRuns();
  }

  private end(): void {
    for (const lane of this.lanes) lane.end();
  }

  private async waitForRuns(): Promise<void> {
    while (this.runs.size > 0) await Promise.all(this.runs);
  }
}
