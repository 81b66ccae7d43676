import { Injectable } from '@nestjs/common';
import { ApiError } from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { answerNoObject } from '../../bots.errors.js';
import type { DirectEventType } from '../../poll/direct-event.js';
import { AnswerWaits } from './answer-waits.js';
import type { Awaited } from './answer-waits.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Carries out what an acknowledgement answers. Settles the wait in the same transaction ({@link
 * AnswerWaits.settle}); when nobody waits any more it is a late answer.
 * @throws AnsweredBefore when the event can't be answered any more; ApiError for an invalid answer
 */
export type TakeAnswer = (bot: BotPrincipal, asked: AskedEvent, answer: Fields) => Promise<void>;

/** Tells the person who waits that the answer was invalid. */
export type FailAnswer = (awaited: Awaited) => Promise<void>;

/** What is answered. */
export interface AskedEvent {
  eventId: string;
  eventType: string;
  /** The text of `payload_json`. */
  payload: string;
}

/**
 * The event was answered before, or its time is over: the answer is ignored, and the person who
 * waits is told `queued` or `ack`.
 */
export class AnsweredBefore extends Error {
  /**
   * @param refusal sent to the bot as an `error`; undefined for a repeated acknowledgement, which
   * has no effect
   */
  constructor(readonly refusal?: ApiError) {
    super(refusal?.text);
  }
}

/**
 * The port between sockets and the libs that know what answers mean: each registers for the events
 * of its own.
 */
@Injectable()
export class SocketAnswers {
  private readonly takers = new Map<string, { take: TakeAnswer; fail: FailAnswer }>();

  constructor(private readonly waits: AnswerWaits) {}

  /**
   * @param fail where people wait for something else than {@link AnswerWaits}
   * @throws Error when an event type is taken
   */
  register(
    eventTypes: readonly DirectEventType[],
    take: TakeAnswer,
    fail: FailAnswer = (awaited) => this.waits.tellFailure(awaited),
  ): void {
    for (const type of eventTypes) {
      if (this.takers.has(type)) throw new Error(`answers to ${type} are taken already`);
      this.takers.set(type, { take, fail });
    }
  }

  /** @returns the refusal for the bot; undefined when there is none */
  async take(bot: BotPrincipal, asked: AskedEvent, answer: unknown): Promise<ApiError | undefined> {
    const taker = this.takers.get(asked.eventType);
    if (!taker) return undefined;
    const awaited = { spaceId: bot.spaceId, id: asked.eventId };
    try {
      if (answer === undefined || answer === null) await this.waits.tellLater(awaited);
      else await taker.take(bot, asked, fieldsOf(answer));
      return undefined;
    } catch (error) {
      if (error instanceof AnsweredBefore) {
        await this.waits.tellLater(awaited);
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
