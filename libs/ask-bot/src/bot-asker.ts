import { Injectable } from '@nestjs/common';
import { AnswerWaits, appendDirectEvent, CallbackLog } from '@tieline/bots';
import type { DirectEvent, Outcome } from '@tieline/bots';
import { CallbackClient } from '@tieline/egress';
import type { CallbackAttempt } from '@tieline/egress';
import type { Tx } from '@tieline/platform/database';
import { UnusableAnswerError } from './judge-answer.js';
import type { AwaitedAnswers, BotCallback, CallbackTrial, SentQuestion } from './question.js';

type Fields = Record<string, unknown>;

/** Asks bots and waits for their answers, and logs each callback for admins. */
@Injectable()
export class BotAsker {
  constructor(
    private readonly callbacks: CallbackClient,
    private readonly log: CallbackLog,
    private readonly waits: AnswerWaits,
  ) {}

  /**
   * Adds a question to the bot's queue. Call it in the transaction that holds the lock of a bot in
   * poll mode, and pass the result to {@link outcome} after the commit.
   * @param answers where the answer appears; by default in the acknowledgement of a socket, which
   *   is awaited only while a socket of the bot is open.
   */
  async queue<Result>(
    tx: Tx,
    event: DirectEvent,
    answers?: AwaitedAnswers<Result>,
  ): Promise<SentQuestion<Result>> {
    const { spaceId, eventId: id, botId } = event;
    await appendDirectEvent(tx, event);
    if (answers) return { kind: 'awaited', spaceId, id, answers };
    const isOpen = await this.waits.begin(tx, { spaceId, id }, botId);
    // The handler of the acknowledgement settles the wait with a result of this type.
    return isOpen
      ? { kind: 'awaited', spaceId, id, answers: this.waits as AwaitedAnswers<Result> }
      : { kind: 'queued' };
  }

  /**
   * Returns the outcome of a question: calls the bot, or waits for the answer to a queued question.
   * Holds no connection while it waits. Never call it inside a transaction.
   * @param apply reads and applies the answer of a callback, and throws {@link UnusableAnswerError}
   *   for an invalid one. An awaited answer has been applied when it appears.
   * @throws any other error of `apply`; the log then shows a valid answer.
   */
  async outcome<Result>(
    sent: SentQuestion<Result>,
    apply: (answer: Fields | undefined) => Promise<Outcome<Result>>,
  ): Promise<Outcome<Result>> {
    switch (sent.kind) {
      case 'queued':
        return { kind: 'later' };
      case 'awaited':
        return sent.answers.outcome(sent);
      case 'callback':
        return this.askCallback(sent, apply);
      case 'unreachable':
        return { kind: 'failed', botName: sent.botName, isSilent: true };
    }
  }

  /**
   * Sends one callback as an admin's test. The attempt is logged, but does not count as a failure.
   * @param judge throws {@link UnusableAnswerError} for an invalid answer
   */
  async try(callback: BotCallback, judge: (answer: Fields | undefined) => unknown): Promise<CallbackTrial> {
    const { attempt, unusable } = await this.call(callback, judge, true);
    const { statusCode, durationMs, response } = attempt;
    return { statusCode, error: attempt.error ?? unusable ?? null, durationMs, response };
  }

  private async askCallback<Result>(
    { callback, botName }: Extract<SentQuestion<Result>, { kind: 'callback' }>,
    apply: (answer: Fields | undefined) => Promise<Outcome<Result>>,
  ): Promise<Outcome<Result>> {
    const { attempt, used } = await this.call(callback, apply);
    return used ?? { kind: 'failed', botName, isSilent: !isSuccess(attempt.statusCode) };
  }

  /** Sends one callback, lets `use` process the answer, and logs the attempt in any case. */
  private async call<T>(
    callback: BotCallback,
    use: (answer: Fields | undefined) => T | Promise<T>,
    isTrial = false,
  ): Promise<{ attempt: CallbackAttempt; used?: T; unusable?: string }> {
    const { spaceId, botId, kind, url } = callback;
    const at = new Date();
    const { result, attempt } = await this.callbacks.attempt(callback);
    let unusable: string | undefined;
    try {
      if (result.kind === 'answered') return { attempt, used: await use(result.answer) };
      unusable = result.reason;
    } catch (error) {
      if (!(error instanceof UnusableAnswerError)) throw error;
      unusable = error.message;
    } finally {
      // The status of a failed callback says enough.
      const reason = isTrial || result.kind === 'answered' ? unusable : undefined;
      const error = attempt.error ?? reason ?? null;
      const failed = unusable !== undefined;
      this.log.add({ ...attempt, spaceId, botId, kind, url, at, error, failed, isTrial });
    }
    return { attempt, unusable };
  }
}

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status <= 299;
