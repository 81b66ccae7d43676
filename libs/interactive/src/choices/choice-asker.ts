import { Injectable } from '@nestjs/common';
import { appendDirectEvent, BotCallbacks, BotUnresponsiveError } from '@tieline/bots';
import type { DirectEventType, EventDeliveryMode } from '@tieline/bots';
import type { Callback } from '@tieline/egress';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { ApiError } from '@tieline/platform/http';
import { v7 as uuidv7 } from 'uuid';
import { ResponseTokens } from '../responses/response-tokens.js';
import type { ResponseSubject } from '../responses/response-subject.js';
import { ChoiceAnswers } from './choice-answers.js';
import type { Choice } from './choice.view.js';
import { readChoices } from './dto/choices.dto.js';
import { findCachedChoices, insertOptionRequest, cacheChoices } from './option-requests.queries.js';
import type { OptionRequest } from './option-requests.queries.js';

/** Timeout for a callback. */
const CALLBACK_MS = 1_000;
/** How long the person's request waits in total. */
const WAIT_MS = 3_000;

/** How a bot is asked for suggestions, read at the time of the request. */
export interface ChoiceTarget {
  botId: string;
  mode: EventDeliveryMode;
  /** Undefined if no address is configured. */
  callback: Pick<Callback, 'url' | 'secret' | 'previousSecret' | 'headers'> | undefined;
}

/** A request for suggestions while a person types. */
export interface ChoiceQuestion {
  spaceId: string;
  userId: string;
  conversationId: string;
  eventType: Extract<DirectEventType, `${string}.options`>;
  /** Requests with the same fingerprint share a cached answer. */
  fingerprint: Buffer;
  /** Locks the bot's row until the end of the transaction. @throws if the bot or command is gone */
  hold(tx: Tx): Promise<ChoiceTarget>;
  /** Builds the payload for the bot. */
  payload(responseToken: string): object;
}

/** Asks bots for suggestions while people type. */
@Injectable()
export class ChoiceAsker {
  constructor(
    private readonly db: Db,
    private readonly responses: ResponseTokens,
    private readonly callbacks: BotCallbacks,
    private readonly answers: ChoiceAnswers,
  ) {}

  /**
   * Returns suggestions within three seconds, or none if the bot does not answer in time.
   * @throws what `hold` throws
   */
  async ask(question: ChoiceQuestion): Promise<Choice[]> {
    const { spaceId, fingerprint } = question;
    const request = { spaceId, id: uuidv7(), fingerprint };
    const cached = await findCachedChoices(this.db, request);
    if (cached) return cached;
    const waiter = this.answers.enter(spaceId, request.id);
    try {
      const target = await runInTx(this.db, (tx) => this.enqueue(tx, question, request), {
        spaceId,
        place: request.id,
      });
      if (target.mode === 'poll') return (await waiter.wait(WAIT_MS)) ?? [];
      return await this.askCallback(question, request, target);
    } finally {
      waiter.leave();
    }
  }

  /** Adds the request to the bot's queue if its mode is `poll`. */
  private async enqueue(tx: Tx, question: ChoiceQuestion, request: OptionRequest): Promise<ChoiceTarget> {
    const target = await question.hold(tx);
    if (target.mode !== 'poll') return target;
    const { spaceId, id: eventId } = request;
    const { botId } = target;
    const payload = question.payload(this.tokenOf(question, request, botId));
    await insertOptionRequest(tx, request);
    await appendDirectEvent(tx, { spaceId, botId, eventId, eventType: question.eventType, payload });
    return target;
  }

  private async askCallback(
    question: ChoiceQuestion,
    request: OptionRequest,
    { botId, callback }: ChoiceTarget,
  ): Promise<Choice[]> {
    if (!callback) return [];
    const { spaceId, eventType: event } = question;
    const payload = question.payload(this.tokenOf(question, request, botId));
    const sent = { ...callback, event, deliveryId: request.id, payload, timeoutMs: CALLBACK_MS };
    const apply = async (given: Record<string, unknown> | undefined): Promise<Choice[]> => {
      const choices = readSuggestions(given);
      await cacheChoices(this.db, request, choices);
      return choices;
    };
    return this.callbacks.ask({ ...sent, spaceId, botId, kind: 'options' }, apply).catch((error: unknown) => {
      if (error instanceof BotUnresponsiveError) return [];
      throw error;
    });
  }

  private tokenOf({ spaceId, userId, conversationId }: ChoiceQuestion, { id }: OptionRequest, botId: string) {
    const place = { botId, userId, conversationId, threadId: null, messageId: null };
    const subject: Omit<ResponseSubject, 'expiresAt'> = { ...place, kind: 'options', id };
    return this.responses.issue(spaceId, subject).response_token;
  }
}

/** @throws BotUnresponsiveError if the answer is not a list of suggestions */
function readSuggestions(given: Record<string, unknown> | undefined): Choice[] {
  try {
    return readChoices(given);
  } catch (error) {
    throw error instanceof ApiError ? new BotUnresponsiveError(error.text) : error;
  }
}
