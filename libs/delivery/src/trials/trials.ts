import { Injectable } from '@nestjs/common';
import type { OnModuleDestroy } from '@nestjs/common';
import { Loop, doneWithin } from '@tieline/background';
import { EgressSettings } from '@tieline/egress';
import { Bus } from '@tieline/live';
import { Db, unprepared } from '@tieline/platform/database';
import type { RowOf } from '@tieline/platform/database';
import type { TrialResultView } from './trial-result.view.js';
import { TRIALS } from './trials-channel.js';
import { FIND_TRIALS } from './trials.statements.js';

/** Maximum number of waiting calls per process and space. Further ones are referred to the log. */
export const WAITING_PER_SPACE = 10;
/**
 * How often the log is read while calls wait, in case the bus lost a message. Also the time limit
 * of the last read.
 */
const LOOK_MS = 500;
const LAST_LOOK_MS = 200;

type Trial = RowOf<typeof FIND_TRIALS>;

interface Waiting {
  spaceId: string;
  /** Whether a worker had leased it at the last read. */
  isUnderWay: boolean;
  settle(result: TrialResultView): void;
}

/**
 * Waits in the api for the results of test sends. The bus announces that one has ended, and the log
 * has its result. Waiting calls hold no connection, because one statement reads the results of all.
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
    // After a failed read, the next tick reads again.
    this.looking = new Loop(() => this.look(), { everyMs: LOOK_MS }).start();
    this.ends = [
      bus.subscribe(TRIALS, (id) => {
        if (this.waiting.has(String(id))) this.looking.wake();
      }),
      bus.onReconnect(() => this.looking.wake()),
    ];
  }

  /**
   * Waits for the result of a test send that was just committed, until DELIVERY_TIMEOUT_MS after
   * `begun`. Never rejects. If no worker has sent it, or too many calls of the space wait already,
   * the result says so.
   * @param begun from `performance.now()`
   */
  result(spaceId: string, deliveryId: string, begun: number): Promise<TrialResultView> {
    const ofSpace = [...this.waiting.values()].filter((waiting) => waiting.spaceId === spaceId);
    if (ofSpace.length >= WAITING_PER_SPACE)
      return Promise.resolve(
        unknown('too many test sends are waiting for their result; see the delivery log', 0),
      );
    return new Promise((resolve) => {
      const left = begun + this.settings.deliveryTimeoutMs - performance.now();
      const timer = setTimeout(() => void this.giveUp(deliveryId, begun), left);
      const settle = (result: TrialResultView): void => {
        clearTimeout(timer);
        this.waiting.delete(deliveryId);
        resolve(result);
      };
      this.waiting.set(deliveryId, { spaceId, isUnderWay: false, settle });
      // It may already have ended.
      this.looking.wake();
    });
  }

  async onModuleDestroy(): Promise<void> {
    this.ends.forEach((end) => end());
    for (const { settle } of [...this.waiting.values()])
      settle(unknown('result not known yet; see the delivery log', 0));
    await this.looking.stop();
  }

  private async look(): Promise<void> {
    if (this.waiting.size === 0) return;
    for (const trial of await this.db.query(unprepared(FIND_TRIALS), [[...this.waiting.keys()]])) {
      const waiting = this.waiting.get(trial.id);
      if (!waiting) continue;
      waiting.isUnderWay = trial.isUnderWay;
      if (trial.status !== 'pending') waiting.settle(resultOf(trial));
    }
  }

  private async giveUp(deliveryId: string, begun: number): Promise<void> {
    await doneWithin(this.look(), LAST_LOOK_MS).catch(() => undefined);
    const waiting = this.waiting.get(deliveryId);
    const error = waiting?.isUnderWay ? 'timeout' : 'no worker has sent it yet';
    waiting?.settle(unknown(error, performance.now() - begun));
  }
}

function resultOf({ statusCode, durationMs, attemptError, error }: Trial): TrialResultView {
  // Nothing was sent, because the address or the secret was missing.
  if (durationMs === null) return unknown(error ?? 'not sent', 0);
  return { status_code: statusCode, error: attemptError, duration_ms: durationMs };
}

const unknown = (error: string, durationMs: number): TrialResultView => ({
  status_code: null,
  error,
  duration_ms: Math.round(durationMs),
});
