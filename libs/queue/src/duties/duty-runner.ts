import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { BullModule, BullRegistrar } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { HealthChecks } from '@tieline/platform/observability';
import { Duty } from './duty.js';
import { PromptlyClosingWorker } from './promptly-closing-worker.js';
import { QueueObserver } from '../queue-observer.js';
import { QueueServer } from '../queue-server.js';
import { Queue } from '../queue.js';
import { nextTick, refreshDelay } from '../slots.js';

/**
 * How long the start waits for the server; after that the process starts anyway, but is not ready.
 */
const START_MS = 1_500;
const AGAIN_MS = 1_000;

/**
 * Runs the processors of the app: they take jobs once the queue's server answers, until the
 * shutdown begins. Part of readiness.
 */
@Injectable()
export class DutyRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly ending = endingOfMany();
  private readonly ticks = new Set<NodeJS.Timeout>();
  private duties: Duty[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly registrar: BullRegistrar,
    private readonly server: QueueServer,
    private readonly queue: Queue,
    private readonly observer: QueueObserver,
    checks: HealthChecks,
  ) {
    checks.register('worker', 'degrades', () => {
      if (!this.running) throw new Error('no jobs are taken');
    });
  }

  /** Whether every duty takes jobs. */
  get running(): boolean {
    return !this.ending.signal.aborted && this.duties.every(({ worker }) => worker.isRunning());
  }

  async onApplicationBootstrap(): Promise<void> {
    const { failed, ran } = this.observer;
    this.duties = this.discover();
    for (const duty of this.duties) duty.attach({ signal: this.ending.signal, failed, ran });
    BullModule.workerClass = PromptlyClosingWorker;
    this.registrar.register();
    for (const { worker, everyMs } of this.duties)
      if (everyMs !== undefined) this.observer.takes(worker.name, everyMs);
    const started = this.server.reached.then(() => this.start());
    await Promise.race([started, sleep(START_MS, undefined, { ref: false })]);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.ending.abort();
    for (const tick of this.ticks) clearTimeout(tick);
    await Promise.all(this.duties.map(({ worker }) => worker.close()));
  }

  private discover(): Duty[] {
    return this.discovery
      .getProviders()
      .map(({ instance }) => instance as unknown)
      .filter((instance) => instance instanceof Duty);
  }

  private start(): void {
    if (this.ending.signal.aborted) return;
    for (const { worker, everyMs } of this.duties) {
      worker.run().catch(this.observer.failed);
      if (everyMs === undefined) continue;
      void this.runFirst(worker.name);
      this.tick(worker.name, everyMs);
    }
  }

  /**
   * The next tick of an hourly duty may be far away, so the first wake-up is retried until the
   * server accepts it.
   */
  private async runFirst(name: string): Promise<void> {
    const { signal } = this.ending;
    while (!signal.aborted && !(await this.queue.wake(name)))
      await sleep(AGAIN_MS, undefined, { ref: false });
  }

  /**
   * Sets the timer of the next tick repeatedly. It is the same timer in every process, and is
   * restored within 5 s or one interval after the queue lost everything.
   */
  private tick(name: string, everyMs: number): void {
    const now = Date.now();
    // A timer that is set too late would cause a second run in addition to that of another process.
    const soon = Math.min(everyMs / 5, 250);
    void this.queue.wakeAt(name, new Date(nextTick(now + soon, everyMs)));
    const timer = setTimeout(
      () => {
        this.ticks.delete(timer);
        this.tick(name, everyMs);
      },
      refreshDelay(now, everyMs),
    );
    this.ticks.add(timer.unref());
  }
}

/** Every current run listens to it. */
function endingOfMany(): AbortController {
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  return ending;
}
