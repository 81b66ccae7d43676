import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { BullModule, BullRegistrar } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, ModuleRef } from '@nestjs/core';
import { doneWithin } from '@tieline/background';
import { DUE_CHECK_MS, DueChecks } from '@tieline/platform/database';
import type { DueCheck } from '@tieline/platform/database';
import { HealthChecks } from '@tieline/platform/observability';
import { Duty } from './duty.js';
import { PromptlyClosingWorker } from './promptly-closing-worker.js';
import { QueueObserver } from '../queue-observer.js';
import { QueueServer } from '../queue-server.js';
import { Queue } from '../queue.js';
import { nextTick } from '../slots.js';

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
    private readonly modules: ModuleRef,
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
    return this.duties.every(({ worker }) => worker.isRunning());
  }

  async onApplicationBootstrap(): Promise<void> {
    const { failed, ran } = this.observer;
    this.duties = this.discover();
    for (const duty of this.duties) duty.attach({ signal: this.ending.signal, failed, ran });
    BullModule.workerClass = PromptlyClosingWorker;
    this.registrar.register();
    for (const { worker, due, everyMs = due && DUE_CHECK_MS } of this.duties)
      if (everyMs !== undefined) this.observer.takes(worker.name, everyMs);
    await doneWithin(
      this.server.reached.then(() => this.start()),
      START_MS,
    );
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
    for (const { worker, due, everyMs } of this.duties) {
      worker.run().catch(this.observer.failed);
      if (due) this.watch(worker.name, due());
      if (everyMs === undefined) continue;
      // The next tick of an hourly duty may be far away.
      void this.request(() => this.queue.wake(worker.name), Infinity);
      this.tick(worker.name, everyMs);
    }
  }

  /** Requests a run whenever something is due. A check that finds nothing counts as a run. */
  private watch(name: string, check: DueCheck): void {
    this.modules.get(DueChecks, { strict: false }).register(check, (due) => {
      if (due && !this.ending.signal.aborted) void this.queue.wake(name);
      if (!due) this.observer.looked(name);
    });
  }

  /** Requests a run at each tick, at the same times in every process. No server keeps a timer. */
  private tick(name: string, everyMs: number): void {
    const now = Date.now();
    const at = nextTick(now, everyMs);
    const timer = setTimeout(() => {
      this.ticks.delete(timer);
      void this.request(() => this.queue.tick(name, everyMs), at + everyMs);
      this.tick(name, everyMs);
    }, at - now);
    this.ticks.add(timer.unref());
  }

  /** Repeats a request until the server accepts it, at most until the next one comes. */
  private async request(send: () => Promise<boolean>, until: number): Promise<void> {
    const { signal } = this.ending;
    while (!signal.aborted && !(await send()) && Date.now() < until)
      await sleep(AGAIN_MS, undefined, { ref: false });
  }
}

/** Every current run listens to it. */
function endingOfMany(): AbortController {
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  return ending;
}
