import { Injectable } from '@nestjs/common';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Bus, RowWaits } from '@tieline/live';
import { Db } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import type { Outcome } from './outcome.js';
import { BEGIN_WAIT, FAIL_WAIT, GIVE_UP_WAIT, SETTLE_WAIT, TAKE_OUTCOME } from './answer-waits.statements.js';

/** Decisions, section 11.7. */
export const ANSWER_WAIT_MS = 3_000;

/** What somebody waits for: a click, a submitted modal or a command. */
export interface Awaited {
  spaceId: string;
  /** The id of the event. */
  id: string;
}

/** Somebody who waits. Entered before the commit. */
export interface AnswerWaiter {
  /** @returns `later` once the time is over */
  outcome(): Promise<Outcome>;
  leave(): void;
}

/**
 * People who wait for the answer that an acknowledgement carries, in whatever process. The row
 * decides: either the answer is settled in time, or whoever waits has given up and the answer is a
 * late one.
 */
@Injectable()
export class AnswerWaits implements OnModuleInit, OnModuleDestroy {
  private readonly waits: RowWaits;

  constructor(
    private readonly db: Db,
    bus: Bus,
  ) {
    this.waits = new RowWaits(bus, 'socket-answers');
  }

  onModuleInit(): void {
    this.waits.listen();
  }

  onModuleDestroy(): void {
    this.waits.close();
  }

  /**
   * In the transaction that appends the event. @returns whether a socket of the bot is open, so
   * that waiting makes sense
   */
  async begin(tx: Tx, { spaceId, id }: Awaited, botId: string): Promise<boolean> {
    return (await tx.query(BEGIN_WAIT, [spaceId, id, botId, ANSWER_WAIT_MS])).length > 0;
  }

  enter(awaited: Awaited): AnswerWaiter {
    const { find, leave } = this.waits.enter(awaited.id);
    const look = (over: boolean): Promise<Outcome | undefined> => this.look(awaited, over);
    return { outcome: async () => (await find(ANSWER_WAIT_MS, look)) ?? { kind: 'later' }, leave };
  }

  /**
   * In the transaction that carries an answer out, after everything else. @returns false when
   * nobody waits any more: the person is told by stream then
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
    this.waits.announce(id);
  }

  private async look(awaited: Awaited, over: boolean): Promise<Outcome | undefined> {
    const outcome = await this.take(awaited);
    if (outcome || !over) return outcome;
    // Whoever settled it before we could give up was in time.
    const [given] = await this.db.query(GIVE_UP_WAIT, [awaited.spaceId, awaited.id]);
    return given ? undefined : this.take(awaited);
  }

  private async take({ spaceId, id }: Awaited): Promise<Outcome | undefined> {
    return (await this.db.query(TAKE_OUTCOME, [spaceId, id]))[0]?.outcome;
  }
}
