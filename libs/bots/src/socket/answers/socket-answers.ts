import { Injectable } from '@nestjs/common';
import { ApiError, requireScope } from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { answerNoObject } from '../../bots.errors.js';
import type { DirectEventType } from '../../poll/direct-event.js';
import { AnswerWaits } from './answer-waits.js';
import type { AwaitedAnswer } from './answer-waits.js';

type Fields = Readonly<Record<string, unknown>>;

/** Events whose answers require the scope `commands`; all others require `interactive`. */
const COMMAND_EVENTS: ReadonlySet<string> = new Set<DirectEventType>(['slash.command', 'command.options']);

/**
 * Processes the answer of an acknowledgement, and settles the wait in the same transaction
 * ({@link AnswerWaits.settle}). If no one waits any more, it is a late answer.
 * @throws AlreadyAnsweredError if the event can no longer be answered; ApiError for an invalid
 * answer
 */
export type AnswerHandler = (bot: BotPrincipal, asked: AnsweredEvent, answer: Fields) => Promise<void>;

/** Notifies the waiting person that the answer was invalid. */
export type AnswerFailureHandler = (awaited: AwaitedAnswer) => Promise<void>;

/** The event that is answered. */
export interface AnsweredEvent {
  eventId: string;
  eventType: string;
  /** The text of `payload_json`. */
  payload: string;
}

/**
 * Thrown if the event was already answered or has expired. The answer is ignored, and the waiting
 * person gets `queued` or `ack`.
 */
export class AlreadyAnsweredError extends Error {
  /**
   * @param refusal sent to the bot as an `error`; undefined for a repeated acknowledgement, which
   * has no effect
   */
  constructor(readonly refusal?: ApiError) {
    super(refusal?.text);
  }
}

/**
 * The port between sockets and the libs that process answers. Each lib registers for its own
 * events.
 */
@Injectable()
export class SocketAnswers {
  private readonly takers = new Map<string, { take: AnswerHandler; fail: AnswerFailureHandler }>();

  constructor(private readonly waits: AnswerWaits) {}

  /**
   * @param fail for libs whose people do not wait in {@link AnswerWaits}
   * @throws Error if the event type is already registered
   */
  register(
    eventTypes: readonly DirectEventType[],
    take: AnswerHandler,
    fail: AnswerFailureHandler = (awaited) => this.waits.settleFailure(awaited),
  ): void {
    for (const type of eventTypes) {
      if (this.takers.has(type)) throw new Error(`answers to ${type} are taken already`);
      this.takers.set(type, { take, fail });
    }
  }

  /** @returns the error for the bot, or undefined */
  async take(bot: BotPrincipal, asked: AnsweredEvent, answer: unknown): Promise<ApiError | undefined> {
    const taker = this.takers.get(asked.eventType);
    if (!taker) return undefined;
    const awaited = { spaceId: bot.spaceId, id: asked.eventId };
    try {
      if (answer === undefined || answer === null) await this.waits.settleLater(awaited);
      else {
        requireScope(bot, COMMAND_EVENTS.has(asked.eventType) ? 'commands' : 'interactive');
        await taker.take(bot, asked, fieldsOf(answer));
      }
      return undefined;
    } catch (error) {
      if (error instanceof AlreadyAnsweredError) {
        await this.waits.settleLater(awaited);
        return error.refusal;
      }
      if (!(error instanceof ApiError)) throw error;
      await taker.fail(awaited);
      return error;
    }
  }
}

function fieldsOf(answer: unknown): Fields {
  if (typeof answer !== 'object' || Array.isArray(answer)) throw answerNoObject();
  return answer as Fields;
}
