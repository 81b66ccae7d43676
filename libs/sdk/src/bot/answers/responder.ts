import type { Activity } from '../activity.js';
import type { Answer } from './answer.js';
import type { AnswerSender, SettleReason } from './answer-sender.js';
import type { LateAnswers, Receipt } from './late-answers.js';

/**
 * Sends the answers to one activity. The first answer is sent in the response that Tieline waits
 * for: when the handler ends, calls `later()`, or takes longer than the time limit. Every further
 * answer is a separate request.
 */
export class Responder {
  private first: Answer | undefined;
  private isSettled: boolean;
  private isFirstSent = false;
  /** Tieline no longer waits for the first answer. */
  private wasReleased = false;
  private answerCount = 0;
  /** Serializes sending, because the deadline may pass while an answer is being sent. */
  private tail: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly activity: Activity,
    private readonly sender: AnswerSender,
    private readonly late: LateAnswers,
    private readonly onRelease: () => void = () => undefined,
  ) {
    // A closed form expects no first answer.
    this.isSettled = activity.kind === 'closed';
  }

  /** Whether the next activity of the conversation may start. */
  get isReleased(): boolean {
    return this.wasReleased;
  }

  /** Whether a first answer is waiting to be sent. */
  get hasAnswer(): boolean {
    return this.first !== undefined;
  }

  /**
   * Prepares for another attempt of the handler, whose answers replace those of the failed attempt.
   */
  restart(): void {
    this.answerCount = 0;
    if (!this.isSettled) this.first = undefined;
  }

  /** @throws TooLate, TypeError */
  send(answer: Answer): Promise<Receipt> {
    const position = this.answerCount++;
    return this.serialize(() => this.sendAt(position, answer));
  }

  /** Releases the person from waiting. */
  later(): Promise<void> {
    return this.release('later');
  }

  /** The time limit for the first answer has passed. */
  deadlinePassed(): Promise<void> {
    return this.release('deadline');
  }

  /** Sends the first answer after the handler has ended. */
  finish(): Promise<void> {
    return this.serialize(() => this.settle('end'));
  }

  private release(why: SettleReason): Promise<void> {
    return this.serialize(async () => {
      this.wasReleased = true;
      this.onRelease();
      await this.settle(why);
    });
  }

  private async sendAt(position: number, answer: Answer): Promise<Receipt> {
    if (position === 0 && this.isFirstSent) return {};
    if (!this.isSettled && !this.first && !this.wasReleased) return this.store(answer);
    if (this.first) {
      await this.settle('deadline');
      await this.settle('later');
    }
    if (!this.isSettled && !this.late.accepts(answer)) return this.store(answer);
    const receipt = await this.late.send(answer, `${this.activity.key}:${position}`);
    this.isSettled = true;
    if (position === 0) this.isFirstSent = true;
    return receipt;
  }

  private store(answer: Answer): Receipt {
    this.first = answer;
    return {};
  }

  private async settle(why: SettleReason): Promise<void> {
    if (this.isSettled || !(await this.sender.settle(this.first, why, this.late))) return;
    this.isSettled = true;
    this.isFirstSent = this.first !== undefined;
  }

  private serialize<T>(act: () => Promise<T>): Promise<T> {
    const tail = this.tail.then(act);
    this.tail = tail.catch(() => undefined);
    return tail;
  }
}
