import { Injectable } from '@nestjs/common';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Bus } from '@tieline/live';
import { Db } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import type { Outcome } from './outcome.js';
import { BEGIN_WAIT, FAIL_WAIT, GIVE_UP_WAIT, SETTLE_WAIT, TAKE_OUTCOME } from './answer-waits.statements.js';

const CHANNEL = 'socket-answers';
/** Decisions, section 11.7. */
export const ANSWER_WAIT_MS = 3_000;
/** Without a hint the outcome is looked for so often. */
const LOOK_EVERY_MS = 500;

/** What somebody waits for: a click, a submitted modal or a command. */
export interface Awaited {
  spaceId: string;
  /** The id of the event. */
  id: string;
}

/** Somebody who waits. Entered before the commit, so that no hint is missed in between. */
export interface AnswerWaiter {
  /** @returns `later` once the time is over */
  outcome(): Promise<Outcome>;
  leave(): void;
}

/**
 * People who wait for the answer that an acknowledgement carries, in whatever process. A hint tells that there is one; the row decides:
 * either the answer is settled in time, or whoever waits has given up and the answer is a late one. A wait holds no connection.
 */
@Injectable()
export class AnswerWaits implements OnModuleInit, OnModuleDestroy {
  private readonly waiting = new Map<string, () => void>();
  private end: (() => void) | undefined;

  constructor(
    private readonly db: Db,
    private readonly bus: Bus,
  ) {}

  onModuleInit(): void {
    this.end = this.bus.subscribe(CHANNEL, (hint) => this.waiting.get((hint as { id: string }).id)?.());
  }

  onModuleDestroy(): void {
    this.end?.();
  }

  /** In the transaction that appends the event. @returns whether a socket of the bot is open, so that waiting makes sense */
  async begin(tx: Tx, { spaceId, id }: Awaited, botId: string): Promise<boolean> {
    return (await tx.query(BEGIN_WAIT, [spaceId, id, botId, ANSWER_WAIT_MS])).length > 0;
  }

  enter(awaited: Awaited): AnswerWaiter {
    let hinted = false;
    let wake: () => void = () => undefined;
    this.waiting.set(awaited.id, () => {
      hinted = true;
      wake();
    });
    const next = async (ms: number): Promise<void> => {
      if (!hinted)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      hinted = false;
    };
    return {
      outcome: () => this.outcome(awaited, next),
      leave: () => this.waiting.delete(awaited.id),
    };
  }

  /**
   * In the transaction that carries an answer out, after everything else. @returns false when nobody waits any more: the person is
   * told by stream then
   */
  async settle(tx: Tx, { spaceId, id }: Awaited, outcome: Outcome): Promise<boolean> {
    return (await tx.query(SETTLE_WAIT, [spaceId, id, JSON.stringify(outcome)])).length > 0;
  }

  /** The acknowledgement came without an answer. */
  async tellLater({ spaceId, id }: Awaited): Promise<void> {
    await this.db.query(SETTLE_WAIT, [spaceId, id, JSON.stringify({ kind: 'later' } satisfies Outcome)]);
    this.announce(id);
  }

  /** The answer is no good one. */
  async tellFailure({ spaceId, id }: Awaited): Promise<void> {
    await this.db.query(FAIL_WAIT, [spaceId, id]);
    this.announce(id);
  }

  /** Call it after the commit. */
  announce(id: string): void {
    this.bus.publish(CHANNEL, { id });
  }

  private async outcome({ spaceId, id }: Awaited, next: (ms: number) => Promise<void>): Promise<Outcome> {
    const until = performance.now() + ANSWER_WAIT_MS;
    for (;;) {
      const left = until - performance.now();
      await next(Math.min(Math.max(left, 0), LOOK_EVERY_MS));
      const [row] = await this.db.query(TAKE_OUTCOME, [spaceId, id]);
      if (row) return row.outcome;
      if (left <= 0 && (await this.db.query(GIVE_UP_WAIT, [spaceId, id])).length > 0)
        return { kind: 'later' };
    }
  }
}
