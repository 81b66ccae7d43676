import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';

const LOOK_MS = 5000;
/** Most time on a processor between two looks of an idle process, as a fraction. */
const IDLE = 0.03;
/** Growth of the heap since the last release that makes another one worth its pause. */
const GROWN = 1.3;

/**
 * Gives memory back to the system when the process has nothing to do, once after the start and
 * after each load (docs/scaling.md#memory). V8 keeps the memory of a load until it collects garbage
 * again, which an idle process does not.
 *
 * Needs `--expose-gc`; without it, nothing happens. A release takes 100 to 200 ms.
 */
@Injectable()
export class IdleMemory implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private released = 0;

  onApplicationBootstrap(): void {
    this.watch(LOOK_MS);
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Looks every `everyMs` whether the process is idle. */
  watch(everyMs: number): void {
    let before = process.cpuUsage();
    this.timer = setInterval(() => {
      const { user, system } = process.cpuUsage(before);
      if (user + system < IDLE * everyMs * 1000) this.release();
      // Without the time of the release.
      before = process.cpuUsage();
    }, everyMs).unref();
  }

  private release(): void {
    const { heapTotal } = process.memoryUsage();
    if (heapTotal < GROWN * this.released) return;
    // Only this kind also returns the pages that V8 keeps for later.
    globalThis.gc?.({ type: 'major', flavor: 'last-resort' });
    // Node.js 20 does not know it, and collects only what is young.
    if (process.memoryUsage().heapTotal >= heapTotal) globalThis.gc?.();
    this.released = process.memoryUsage().heapTotal;
  }
}
