import { Injectable } from '@nestjs/common';
import { DeleteMessage } from '@tieline/conversations';
import { LiveEvents } from '@tieline/live-stream';
import type { LiveEvent } from '@tieline/live-stream';
import { findAnswer, fingerprint, inTxOnce, isRepeated } from '@tieline/idempotency';
import type { IdempotentRequest } from '@tieline/idempotency';
import type { Repeats } from '@tieline/rate-limit';
import { Db, runRepeatable } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { requireScope } from '@tieline/platform/http';
import type { BotPrincipal, Scope } from '@tieline/platform/http';
import { uuidv7 } from 'uuidv7';
import { AnswerApplier } from '../answers/answer-applier.js';
import type { Effect } from '../answers/answer-applier.js';
import { requireBotAccess, requirePersonAccess } from '../answers/late-access.js';
import {
  editRefused,
  originalMissing,
  responseExpired,
  responseNotFound,
  responseOfAnotherBot,
  responseUsedUp,
} from '../interactive.errors.js';
import { ephemeralEvent, ephemeralDeletedEvent } from '../ephemeral/ephemeral-message.js';
import { deleteEphemeral } from '../ephemeral/ephemeral.queries.js';
import { ChoiceAnswers } from '../choices/choice-answers.js';
import { answerOptionRequest } from '../choices/option-requests.queries.js';
import { readLateAnswer } from './late-answer.js';
import type { LateAnswer } from './late-answer.js';
import type { ResponseKind, ResponseSubject } from './response-subject.js';
import type { ResponseTokens } from './response-tokens.js';
import { addUse, lockResponse } from './response-uses.queries.js';

/** Maximum number of late answers per token. */
const MAX_USES = 5;
/** The scope that an answer requires. Requests for options belong to commands or to modals. */
const SCOPES_BY_KIND: Readonly<Partial<Record<ResponseKind, Scope>>> = {
  click: 'interactive',
  submit: 'interactive',
  command: 'commands',
  choice: 'interactive',
};
/** Kinds where the person lets the bot answer in the conversation without being a member. */
const GRANTED: ReadonlySet<ResponseKind> = new Set(['command', 'choice']);

/** A late answer as received. */
export interface LateRequest {
  subject: ResponseSubject;
  body: Readonly<Record<string, unknown>> | undefined;
  /** The answer, if it came in the format of another product. Default: read from the body. */
  answer?: LateAnswer;
  /** `Idempotency-Key`. */
  key: string | undefined;
}

/** The result for the bot, and the event for the person's stream. */
export interface LateResult {
  messageId?: string;
  live?: LiveEvent;
  /** Id of the request for options that was answered. */
  answeredId?: string;
}

/**
 * Returns the subject of a token. @throws 404 not a token of this space; 403 another bot's, or the
 * token lacks the scope
 */
export function requireSubject(tokens: ResponseTokens, bot: BotPrincipal, token: string): ResponseSubject {
  const subject = tokens.read(bot.spaceId, token);
  if (!subject) throw responseNotFound();
  if (subject.botId !== bot.botId) throw responseOfAnotherBot();
  requireScope(bot, SCOPES_BY_KIND[subject.kind] ?? 'none');
  return subject;
}

/** Takes late answers. */
@Injectable()
export class RespondLate {
  constructor(
    private readonly db: Db,
    private readonly applier: AnswerApplier,
    private readonly deleteMessage: DeleteMessage,
    private readonly choiceAnswers: ChoiceAnswers,
    private readonly live: LiveEvents,
  ) {}

  /**
   * Takes a late answer to a click, a submitted modal or a command. Each accepts up to five, in
   * every delivery mode, regardless of earlier answers. The trigger of a command is not used up.
   * Refused answers do not count.
   * @throws 410 expired or used too often. 400 invalid answer or no original message yet. 403 if
   *   the bot or the person lost access to a private conversation. 409 if the idempotency key was
   *   used for another answer. Also the errors of {@link AnswerApplier.apply}.
   */
  async run(bot: BotPrincipal, request: LateRequest): Promise<LateResult> {
    const { subject } = request;
    const result = await this.respond(bot, request);
    if (result.answeredId !== undefined) this.choiceAnswers.announce(result.answeredId);
    if (result.live) this.live.toPerson(bot.spaceId, subject.userId, result.live);
    return result;
  }

  /** Returns how to find a repeated late answer, which does not count against the rate limit. */
  repeatsOf(bot: BotPrincipal, request: LateRequest): Repeats<LateResult> {
    const keyed = keyedRequest(bot, request);
    if (!keyed) return {};
    return { findRepeat: () => findAnswer<LateResult>(this.db, keyed), isRepeat: isRepeated };
  }

  private async respond(bot: BotPrincipal, request: LateRequest): Promise<LateResult> {
    const { spaceId } = bot;
    const { subject, body, answer: read } = request;
    const useId = uuidv7();
    let done: LateResult | undefined;
    const work = async (tx: Tx): Promise<LateResult> => {
      const { isWritten, used, originalId } = await lockResponse(tx, spaceId, subject, useId);
      if (isWritten && done) return done;
      if (subject.expiresAt <= Date.now()) throw responseExpired();
      if (used >= MAX_USES) throw responseUsedUp();
      const place = { ...subject, spaceId, original: subject.messageId ?? originalId };
      done = await this.apply(tx, place, read ?? readLateAnswer(body, subject.kind));
      await addUse(tx, spaceId, subject, { useId, posted: done.messageId });
      return done;
    };
    const place = { spaceId, place: subject.id };
    const keyed = keyedRequest(bot, request);
    if (!keyed) return runRepeatable(this.db, work, place);
    const write = async (tx: Tx): Promise<LateResult> => ({ messageId: (await work(tx)).messageId });
    const answer = await inTxOnce(this.db, keyed, write, place);
    // Only the request that did the work sends the stream event.
    return isRepeated(answer) ? answer : { ...done, ...answer };
  }

  private async apply(tx: Tx, place: Place, answer: LateAnswer): Promise<LateResult> {
    if (answer.kind === 'choices') {
      await answerOptionRequest(tx, place.spaceId, place.id, answer.choices);
      return { answeredId: place.id };
    }
    const isGranted = GRANTED.has(place.kind);
    await requireBotAccess(tx, place, isGranted);
    if (answer.kind === 'delete_message') return this.deleteOriginal(tx, place);
    if (answer.kind === 'update_message') requireOriginal(place);
    const context = { ...place, messageId: place.original, actionId: '', triggerId: null, commandId: null };
    const access = isGranted ? ('granted' as const) : undefined;
    const answered = { context, clickId: undefined, modalId: undefined, chainDepth: 0, access };
    const effect = await this.applier.apply(tx, answered, answer);
    await requirePersonAccess(tx, place, effect);
    return outcomeOf(place, effect);
  }

  private async deleteOriginal(tx: Tx, place: Place): Promise<LateResult> {
    const { spaceId, botId } = place;
    const id = requireOriginal(place);
    const actor = { id: botId, type: 'bot' } as const;
    const refusal = await this.deleteMessage.in(tx, { spaceId, messageId: id, actor, access: 'answer' });
    if (!refusal) return {};
    const shown =
      refusal.refused === 'unknown_message' && (await deleteEphemeral(tx, { spaceId, botId, id }));
    if (!shown) throw editRefused(refusal.refused);
    return { live: ephemeralDeletedEvent(shown) };
  }
}

/** @returns undefined without an `Idempotency-Key` */
function keyedRequest(
  { spaceId, botId }: BotPrincipal,
  { subject: { id }, body, key }: LateRequest,
): IdempotentRequest | undefined {
  if (key === undefined) return undefined;
  return { spaceId, scope: `responses:${botId}`, key, fingerprint: fingerprint([id, body]) };
}

interface Place extends ResponseSubject {
  spaceId: string;
  original: string | null;
}

function requireOriginal({ original }: Place): string {
  if (original === null) throw originalMissing();
  return original;
}

function outcomeOf({ conversationId, original, botId }: Place, effect: Effect): LateResult {
  if (effect.result === 'send_message') return { messageId: effect.messageId };
  if (effect.result === 'update_message' && effect.shown) return { live: ephemeralEvent(effect.shown) };
  if (effect.result !== 'ephemeral') return {};
  if (effect.message) return { live: ephemeralEvent(effect.message) };
  const about = { conversation_id: conversationId, ...(original !== null && { message_id: original }) };
  return { live: { event: 'ephemeral', ...about, bot_id: botId, text: effect.ephemeralText } };
}
