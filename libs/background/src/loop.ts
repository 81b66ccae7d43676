import { outsideRequests } from './request-caller.js';

/** How a {@link Loop} runs; times in milliseconds. */
export interface LoopSettings {
  /**
   * From `start` on it runs by itself this often; a tick that comes while a run is under way is
   * left out.
   */
  everyMs?: number;
  /**
   * A run waits this long after it was asked for, so that what is asked for meanwhile shares it.
   */
  lingerMs?: number;
  /** The next run waits this long after one, for the same reason. */
  restMs?: number;
  /**
   * A failed run is repeated after this pause, which may depend on how many have failed in a row;
   * without it, when it is asked for again.
   */
  retryMs?: number | ((failures: number) => number);
  /** Is told why a run failed. */
  failed?: (error: unknown) => void;
}

/**
 * Background work: one run at a time, and one more for everything that was asked for while it was
 * under way.
 *
 * @example const loop = new Loop(() => sweep(), { everyMs: 2000, failed }).start();
 */
export class Loop {
  private asked = false;
  private draining = false;
  private ended = false;
  private failures = 0;
  private running: Promise<void> | undefined;
  private ticks: NodeJS.Timeout | undefined;
  private endPause: (() => void) | undefined;

  /** @param run what it does; true when there is more to do, so that it runs again at once */
  constructor(
    private readonly run: () => unknown,
    private readonly settings: LoopSettings = {},
  ) {}

  /** Whether it was stopped: a run under way returns as soon as it can. */
  get stopped(): boolean {
    return this.ended;
  }

  /** Begins to tick. The first run comes after `everyMs`, or when it is asked for. */
  start(): this {
    const { everyMs } = this.settings;
    if (everyMs !== undefined && !this.ended) this.ticks ??= setInterval(() => this.tick(), everyMs).unref();
    return this;
  }

  /** Asks for a run that begins after this call. Returns at once. */
  wake(): void {
    this.asked = true;
    // Begins in a microtask, so that what one turn of the event loop asks for shares a run.
    if (!this.ended) this.running ??= outsideRequests(() => Promise.resolve().then(() => this.runAll()));
  }

  /** Runs what was asked for, without any pause, and resolves when nothing more is. */
  async drain(): Promise<void> {
    this.draining = true;
    this.endPause?.();
    while (this.running) await this.running;
    this.draining = false;
  }

  /** Begins no further run; resolves when the one under way is over. */
  async stop(): Promise<void> {
    this.ended = true;
    clearInterval(this.ticks);
    this.endPause?.();
    await this.running;
  }

  private tick(): void {
    if (!this.running) this.wake();
  }

  private async runAll(): Promise<void> {
    while (this.asked && !this.ended) await this.runOnce();
    this.running = undefined;
  }

  private async runOnce(): Promise<void> {
    const { lingerMs, restMs, retryMs, failed } = this.settings;
    if (lingerMs !== undefined) await this.pause(lingerMs);
    if (this.ended) return;
    this.asked = false;
    try {
      if ((await this.run()) === true) this.asked = true;
      this.failures = 0;
      if (restMs !== undefined) await this.pause(restMs);
    } catch (error) {
      failed?.(error);
      if (retryMs === undefined) return;
      this.asked = true;
      this.failures += 1;
      await this.pause(typeof retryMs === 'number' ? retryMs : retryMs(this.failures));
    }
  }

  private async pause(ms: number): Promise<void> {
    if (this.draining || this.ended) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      this.endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.endPause = undefined;
  }
}
