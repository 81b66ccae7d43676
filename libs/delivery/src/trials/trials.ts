import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { OnModuleDestroy } from '@nestjs/common';
import { Loop } from '@tieline/background';
import { EgressSettings } from '@tieline/egress';
import { Bus } from '@tieline/live';
import { Db, unprepared } from '@tieline/platform/database';
import type { RowOf } from '@tieline/platform/database';
import type { TrialResultView } from './trial-result.view.js';
import { TRIALS } from './trials-channel.js';
import { FIND_TRIALS } from './trials.statements.js';

/** So many wait in one process per space; whoever comes then is told to look into the log. */
export const WAITING_PER_SPACE = 10;
/**
 * How often the log is read while somebody waits, for what the bus did not tell; and how long the
 * last look may take.
 */
const LOOK_MS = 500;
const LAST_LOOK_MS = 200;

type Trial = RowOf<typeof FIND_TRIALS>;

interface Waiting {
  spaceId: string;
  /** Whether a worker had it in hand when it was last looked for. */
  isUnderWay: boolean;
  settle(result: TrialResultView): void;
}

/**
 * Waits in the api for what workers make of test sends. The bus says that one has ended, the log
 * says how. Nobody who waits holds a connection: one statement looks for all of them.
 */
@Injectable()
export class Trials implements OnModuleDestroy {
  private readonly waiting = new Map<string, Waiting>();
  private readonly looking: Loop;
  private readonly ends: (() => void)[];

  constructor(
    private readonly db: Db,
    private readonly settings: EgressSettings,
    bus: Bus,
  ) {
    // What can't be read now is read at the next tick.
    this.looking = new Loop(() => this.look(), { everyMs: LOOK_MS }).start();
    this.ends = [
      bus.subscribe(TRIALS, (id) => {
        if (this.waiting.has(String(id))) this.looking.wake();
      }),
      bus.onReconnect(() => this.looking.wake()),
    ];
  }

  /**
   * What the receiver made of a test send that was just committed, within DELIVERY_TIMEOUT_MS of
   * `begun`. Never rejects: that no worker has sent it, and that too many of the space wait
   * already, are results too.
   * @param begun of `performance.now()`
   */
  result(spaceId: string, deliveryId: string, begun: number): Promise<TrialResultView> {
    const ofSpace = [...this.waiting.values()].filter((waiting) => waiting.spaceId === spaceId);
    if (ofSpace.length >= WAITING_PER_SPACE)
      return Promise.resolve(unknown('too many test sends wait for their result; see the delivery log', 0));
    return new Promise((resolve) => {
      const left = begun + this.settings.deliveryTimeoutMs - performance.now();
      const timer = setTimeout(() => void this.giveUp(deliveryId, begun), left);
      const settle = (result: TrialResultView): void => {
        clearTimeout(timer);
        this.waiting.delete(deliveryId);
        resolve(result);
      };
      this.waiting.set(deliveryId, { spaceId, isUnderWay: false, settle });
      // It may have ended before anybody waited.
      this.looking.wake();
    });
  }

  async onModuleDestroy(): Promise<void> {
    this.ends.forEach((end) => end());
    for (const { settle } of [...this.waiting.values()])
      settle(unknown('not known yet; see the delivery log', 0));
    await this.looking.stop();
  }

  private async look(): Promise<void> {
    if (this.waiting.size === 0) return;
    for (const trial of await this.db.query(unprepared(FIND_TRIALS), [[...this.waiting.keys()]])) {
      const waiting = this.waiting.get(trial.id);
      if (!waiting) continue;
      waiting.isUnderWay = trial.under_way;
      if (trial.status !== 'pending') waiting.settle(resultOf(trial));
    }
  }

  private async giveUp(deliveryId: string, begun: number): Promise<void> {
    await Promise.race([this.look().catch(() => undefined), sleep(LAST_LOOK_MS)]);
    const waiting = this.waiting.get(deliveryId);
    const error = waiting?.isUnderWay ? 'timeout' : 'no worker has sent it yet';
    waiting?.settle(unknown(error, performance.now() - begun));
  }
}

function resultOf({ status_code, duration_ms, attempt_error, error }: Trial): TrialResultView {
  // Nothing was sent: there was no address or no secret to send it with.
  if (duration_ms === null) return unknown(error ?? 'not sent', 0);
  return { status_code, error: attempt_error, duration_ms };
}

const unknown = (error: string, durationMs: number): TrialResultView => ({
  status_code: null,
  error,
  duration_ms: Math.round(durationMs),
});
