import { Injectable } from '@nestjs/common';
import { BotAsker, judgeAnswer } from '@tieline/ask-bot';
import type { BotCallback, SentQuestion } from '@tieline/ask-bot';
import type { DirectEventType, EventDeliveryMode, Outcome } from '@tieline/bots';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { uuidv7 } from 'uuidv7';
import { ResponseTokens } from '../responses/response-tokens.js';
import type { ResponseSubject } from '../responses/response-subject.js';
import { ChoiceAnswers } from './choice-answers.js';
import type { Choice } from './choice.view.js';
import { readChoices } from './dto/choices.dto.js';
import { findCachedChoices, insertOptionRequest, cacheChoices } from './option-requests.queries.js';
import type { OptionRequest } from './option-requests.queries.js';

/** Timeout for a callback. */
const CALLBACK_MS = 1_000;

/** How to request suggestions from a bot, read at the time of the request. */
export interface ChoiceTarget {
  botId: string;
  mode: EventDeliveryMode;
  /** Undefined if no address is configured. */
  address: Pick<BotCallback, 'url' | 'secret' | 'previousSecret' | 'headers'> | undefined;
}

/** A request for suggestions while a person types. */
export interface ChoiceQuestion {
  spaceId: string;
  userId: string;
  conversationId: string;
  eventType: Extract<DirectEventType, `${string}.options`>;
  /** Requests with the same fingerprint share a cached answer. */
  fingerprint: Buffer;
  /** The payload for the bot, without the response token. */
  payload: object;
}

/** Asks bots for suggestions while people type. */
@Injectable()
export class ChoiceAsker {
  constructor(
    private readonly db: Db,
    private readonly responses: ResponseTokens,
    private readonly bots: BotAsker,
    private readonly answers: ChoiceAnswers,
  ) {}

  /**
   * Returns suggestions within three seconds, or none if the bot does not answer in time.
   * @param hold locks the bot's row until the end of the transaction
   * @throws what `hold` throws if the bot or command is gone
   */
  async ask(question: ChoiceQuestion, hold: (tx: Tx) => Promise<ChoiceTarget>): Promise<Choice[]> {
    const { spaceId, fingerprint } = question;
    const request = { spaceId, id: uuidv7(), fingerprint };
    const cached = await findCachedChoices(this.db, request);
    if (cached) return cached;
    const sent = await runInTx(this.db, async (tx) => this.send(tx, question, request, await hold(tx)), {
      spaceId,
      place: request.id,
    });
    const outcome = await this.bots.outcome(sent, (given) => this.cache(request, given));
    return outcome.kind === 'answered' ? outcome.result : [];
  }

  /** Adds the request to the bot's queue if its mode is `poll`. */
  private async send(
    tx: Tx,
    question: ChoiceQuestion,
    request: OptionRequest,
    { botId, mode, address }: ChoiceTarget,
  ): Promise<SentQuestion<Choice[]>> {
    const { spaceId, id } = request;
    const { eventType } = question;
    const payload = { ...question.payload, response_token: this.tokenOf(question, request, botId) };
    if (mode === 'poll') {
      await insertOptionRequest(tx, request);
      return this.bots.queue(tx, { spaceId, botId, eventId: id, eventType, payload }, this.answers);
    }
    const about = { spaceId, botId, kind: 'options', event: eventType, deliveryId: id } as const;
    return address
      ? { kind: 'callback', botName: '', callback: { ...address, ...about, payload, timeoutMs: CALLBACK_MS } }
      : { kind: 'unreachable', botName: '' };
  }

  private async cache(
    request: OptionRequest,
    given: Record<string, unknown> | undefined,
  ): Promise<Outcome<Choice[]>> {
    const result = await judgeAnswer(() => readChoices(given));
    await cacheChoices(this.db, request, result);
    return { kind: 'answered', result };
  }

  private tokenOf({ spaceId, userId, conversationId }: ChoiceQuestion, { id }: OptionRequest, botId: string) {
    const place = { botId, userId, conversationId, threadId: null, messageId: null };
    const subject: Omit<ResponseSubject, 'expiresAt'> = { ...place, kind: 'options', id };
    return this.responses.issue(spaceId, subject).response_token;
  }
}
