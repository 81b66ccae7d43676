import { outsideRequests } from './request-caller.js';
import { Signal } from './signal.js';

/** Settings of a {@link Loop}; times in milliseconds. */
export interface LoopSettings {
  /** Interval of runs after `start`. A tick during a run is skipped. */
  everyMs?: number;
  /** Delay between a request for a run and the run, so that further requests share it. */
  lingerMs?: number;
  /** Minimum pause after a run, for the same reason. */
  restMs?: number;
  /**
   * Pause before a failed run is repeated; it may depend on the number of consecutive failures.
   * Without it, a failed run waits for the next request.
   */
  retryMs?: number | ((failures: number) => number);
  /** Called with the error of a failed run. */
  failed?: (error: unknown) => void;
}

/**
 * Runs background work one run at a time. All requests during a run share one further run.
 *
 * @example const loop = new Loop(() => sweep(), { everyMs: 2000, failed }).start();
 */
export class Loop {
  private isRequested = false;
  private draining = false;
  private ended = false;
  private failures = 0;
  private running: Promise<void> | undefined;
  private ticks: NodeJS.Timeout | undefined;
  private pausing: Signal | undefined;

  /** @param run the work; returns true to run again immediately */
  constructor(
    private readonly run: () => unknown,
    private readonly settings: LoopSettings = {},
  ) {}

  /** Whether the loop was stopped: a run that checks this returns as soon as it can. */
  get stopped(): boolean {
    return this.ended;
  }

  /** Starts the interval. The first run comes after `everyMs`, or when it is requested. */
  start(): this {
    const { everyMs } = this.settings;
    if (everyMs !== undefined && !this.ended) this.ticks ??= setInterval(() => this.tick(), everyMs).unref();
    return this;
  }

  /** Requests a run that begins after this call. Returns immediately. */
  wake(): void {
    this.isRequested = true;
    // Starts in a microtask, so that requests from one turn of the event loop share a run.
    if (!this.ended) this.running ??= outsideRequests(() => Promise.resolve().then(() => this.runAll()));
  }

  /** Runs without any pause until no further run is requested. */
  async drain(): Promise<void> {
    this.draining = true;
    this.pausing?.notify();
    while (this.running) await this.running;
    this.draining = false;
  }

  /** Starts no further run. Resolves when the current run ends. */
  async stop(): Promise<void> {
    this.ended = true;
    clearInterval(this.ticks);
    this.pausing?.notify();
    await this.running;
  }

  private tick(): void {
    if (!this.running) this.wake();
  }

  private async runAll(): Promise<void> {
    while (this.isRequested && !this.ended) await this.runOnce();
    this.running = undefined;
  }

  private async runOnce(): Promise<void> {
    const { lingerMs, restMs, retryMs, failed } = this.settings;
    if (lingerMs !== undefined) await this.pause(lingerMs);
    if (this.ended) return;
    this.isRequested = false;
    try {
      if ((await this.run()) === true) this.isRequested = true;
      this.failures = 0;
      if (restMs !== undefined) await this.pause(restMs);
    } catch (error) {
      failed?.(error);
      if (retryMs === undefined) return;
      this.isRequested = true;
      this.failures += 1;
      await this.pause(typeof retryMs === 'number' ? retryMs : retryMs(this.failures));
    }
  }

  private async pause(ms: number): Promise<void> {
    if (this.draining || this.ended) return;
    this.pausing = new Signal();
    await this.pausing.wait(ms);
  }
}
