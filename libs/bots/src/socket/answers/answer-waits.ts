import { Injectable } from '@nestjs/common';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Bus, RowWaits } from '@tieline/live';
import { Db } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import type { Outcome } from './outcome.js';
import { BEGIN_WAIT, FAIL_WAIT, GIVE_UP_WAIT, SETTLE_WAIT, TAKE_OUTCOME } from './answer-waits.statements.js';

/** How long a person waits for an answer over a socket. */
const ANSWER_WAIT_MS = 3_000;

/** A click, a submitted modal or a command that waits for an answer. */
export interface AwaitedAnswer {
  spaceId: string;
  /** The id of the event. */
  id: string;
}

/**
 * Lets people wait for an answer that arrives with an acknowledgement, in any process. The database
 * row decides: either the answer is settled in time, or the wait has ended and the answer is late.
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
   * Call it in the transaction that appends the event.
   * @returns whether a socket of the bot is open, so that waiting makes sense
   */
  async begin(tx: Tx, { spaceId, id }: AwaitedAnswer, botId: string): Promise<boolean> {
    const wait = { spaceId, id, botId, waitMs: ANSWER_WAIT_MS };
    return (await tx.query(BEGIN_WAIT, wait)).length > 0;
  }

  /** Waits for the outcome, at most three seconds. Call it after the commit. */
  async outcome(awaited: AwaitedAnswer): Promise<Outcome> {
    const found = await this.waits.find(awaited.id, ANSWER_WAIT_MS, (over) => this.look(awaited, over));
    return found ?? { kind: 'later' };
  }

  /**
   * Call it in the transaction that processes an answer, as the last statement.
   * @returns false if no one waits any more; the person then gets the answer over their stream
   */
  async settle(tx: Tx, { spaceId, id }: AwaitedAnswer, outcome: Outcome): Promise<boolean> {
    return (await tx.query(SETTLE_WAIT, [spaceId, id, JSON.stringify(outcome)])).length > 0;
  }

  /** Records that the acknowledgement had no answer. */
  async settleLater({ spaceId, id }: AwaitedAnswer): Promise<void> {
    await this.db.query(SETTLE_WAIT, [spaceId, id, JSON.stringify({ kind: 'later' } satisfies Outcome)]);
    this.announce(id);
  }

  /** Records that the answer was invalid. */
  async settleFailure({ spaceId, id }: AwaitedAnswer): Promise<void> {
    await this.db.query(FAIL_WAIT, [spaceId, id]);
    this.announce(id);
  }

  /** Wakes the waiting request. Call it after the commit. */
  announce(id: string): void {
    this.waits.announce(id);
  }

  private async look(awaited: AwaitedAnswer, over: boolean): Promise<Outcome | undefined> {
    const outcome = await this.take(awaited);
    if (outcome || !over) return outcome;
    // If the row is gone, the answer was settled in time.
    const [given] = await this.db.query(GIVE_UP_WAIT, [awaited.spaceId, awaited.id]);
    return given ? undefined : this.take(awaited);
  }

  private async take({ spaceId, id }: AwaitedAnswer): Promise<Outcome | undefined> {
    return (await this.db.query(TAKE_OUTCOME, [spaceId, id]))[0]?.outcome;
  }
}
