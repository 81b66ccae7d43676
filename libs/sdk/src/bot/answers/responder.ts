import type { Happening } from '../happening.js';
import type { Answer } from './answer.js';
import type { Door, Why } from './door.js';
import type { LateAnswers, Receipt } from './late-answers.js';

/**
 * The answers to one happening. The first one travels the way that somebody waits at and is sent
 * when the handler ends, says `later()`, or takes longer than people wait; all others are requests
 * of their own.
 */
export class Answering {
  private first: Answer | undefined;
  private isSettled: boolean;
  private isFirstSent = false;
  /** Nobody waits at the door any more. */
  private isFree = false;
  private given = 0;
  /** One after another: the deadline may come while an answer is being sent. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly happening: Happening,
    private readonly door: Door,
    private readonly late: LateAnswers,
    private readonly onFree: () => void = () => undefined,
  ) {
    // Nobody waits for an answer to a form that was left, and what is answered to it is ignored.
    this.isSettled = happening.kind === 'closed';
  }

  /** Whether the next one of the conversation may begin. */
  get holdsNobodyUp(): boolean {
    return this.isFree;
  }

  /** There is something to pass on. */
  get hasAnswer(): boolean {
    return this.first !== undefined;
  }

  /** A handler that failed starts again: what it says a second time is the same answer. */
  startAgain(): void {
    this.given = 0;
    if (!this.isSettled) this.first = undefined;
  }

  /** @throws TooLate, TypeError */
  give(answer: Answer): Promise<Receipt> {
    const position = this.given++;
    return this.inTurn(() => this.giveAt(position, answer));
  }

  /** From here on the person waits no longer. */
  later(): Promise<void> {
    return this.free('later');
  }

  /** The person's patience is at its end. */
  overdue(): Promise<void> {
    return this.free('deadline');
  }

  /** The handler has ended. */
  end(): Promise<void> {
    return this.inTurn(() => this.settle('end'));
  }

  private free(why: Why): Promise<void> {
    return this.inTurn(async () => {
      this.isFree = true;
      this.onFree();
      await this.settle(why);
    });
  }

  private async giveAt(position: number, answer: Answer): Promise<Receipt> {
    if (position === 0 && this.isFirstSent) return {};
    if (!this.isSettled && !this.first && !this.isFree) return this.keep(answer);
    if (this.first) {
      await this.settle('deadline');
      await this.settle('later');
    }
    if (!this.isSettled && !this.late.takes(answer)) return this.keep(answer);
    const receipt = await this.late.send(answer, `${this.happening.key}:${position}`);
    this.isSettled = true;
    if (position === 0) this.isFirstSent = true;
    return receipt;
  }

  private keep(answer: Answer): Receipt {
    this.first = answer;
    return {};
  }

  private async settle(why: Why): Promise<void> {
    if (this.isSettled || !(await this.door.settle(this.first, why, this.late))) return;
    this.isSettled = true;
    this.isFirstSent = this.first !== undefined;
  }

  private inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.turn.then(act);
    this.turn = turn.catch(() => undefined);
    return turn;
  }
}
