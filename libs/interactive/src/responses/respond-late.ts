import type { DeleteMessage, LiveEvent } from '@tieline/conversations';
import { findAnswer, fingerprint, inTxOnce, isRepeated } from '@tieline/idempotency';
import type { IdempotentRequest } from '@tieline/idempotency';
import type { ChargeOptions } from '@tieline/rate-limit';
import { runRepeatable } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { v7 as uuidv7 } from 'uuid';
import type { AnswerApplier, Effect } from '../answers/answer-applier.js';
import { requireBotAccess, requirePersonAccess } from '../answers/late-access.js';
import {
  deletionRefused,
  originalMissing,
  responseExpired,
  responseNotFound,
  responseOfAnotherBot,
  responseUsedUp,
} from '../interactive.errors.js';
import { ephemeralEvent, ephemeralDeletedEvent } from '../ephemeral/ephemeral-message.js';
import { deleteEphemeral } from '../ephemeral/ephemeral.queries.js';
import { answerOptionRequest } from '../choices/option-requests.queries.js';
import { readLateAnswer } from './late-answer.js';
import type { LateAnswer } from './late-answer.js';
import type { ResponseSubject } from './response-subject.js';
import type { ResponseTokens } from './response-tokens.js';
import { addUse, lockResponse } from './response-uses.queries.js';

/** Decisions, section 11.4. */
const MAX_USES = 5;

/** What carries late answers out. */
export interface LateParts {
  applier: AnswerApplier;
  deleteMessage: DeleteMessage;
}

/** A late answer as it came. */
export interface LateRequest {
  subject: ResponseSubject;
  body: Readonly<Record<string, unknown>> | undefined;
  /** `Idempotency-Key`. */
  key: string | undefined;
}

/** What the bot is told, and what the person's stream is. */
export interface LateResult {
  messageId?: string;
  live?: LiveEvent;
  /** Of a question that somebody waits for. */
  answeredId?: string;
}

/** @throws 404 for what is no token of this space; 403 another bot's */
export function requireSubject(tokens: ResponseTokens, bot: BotPrincipal, token: string): ResponseSubject {
  const subject = tokens.read(bot.spaceId, token);
  if (!subject) throw responseNotFound();
  if (subject.botId !== bot.botId) throw responseOfAnotherBot();
  return subject;
}

/**
 * Takes a late answer to a click, a submitted modal or a command (decisions, section 11.4): up to
 * five each, in every delivery form, whatever was answered before. A command's trigger stays as it
 * is. What is refused uses nothing up.
 * @throws 410 expired, used up; 400 a bad answer, no original yet; 403 the bot is not in a private
 * conversation any more, or the person in none; 409 an idempotency key of another answer; what
 * {@link AnswerApplier.apply} throws
 */
export async function respondLate(
  db: Db,
  parts: LateParts,
  bot: BotPrincipal,
  { subject, body, key }: LateRequest,
): Promise<LateResult> {
  const useId = uuidv7();
  let done: LateResult | undefined;
  const work = async (tx: Tx): Promise<LateResult> => {
    const { isWritten, used, originalId } = await lockResponse(tx, bot.spaceId, subject, useId);
    if (isWritten && done) return done;
    if (subject.expiresAt <= Date.now()) throw responseExpired();
    if (used >= MAX_USES) throw responseUsedUp();
    const original = subject.messageId ?? originalId;
    done = await apply(
      tx,
      parts,
      { ...subject, spaceId: bot.spaceId, original },
      readLateAnswer(body, subject.kind),
    );
    await addUse(tx, bot.spaceId, subject, { useId, posted: done.messageId });
    return done;
  };
  const place = { spaceId: bot.spaceId, place: subject.id };
  if (key === undefined) return runRepeatable(db, work, place);
  const write = async (tx: Tx): Promise<LateResult> => ({ messageId: (await work(tx)).messageId });
  const answer = await inTxOnce(db, keyedRequest(bot, subject, body, key), write, place);
  // The stream is told by the request that did the work.
  return isRepeated(answer) ? answer : { ...done, ...answer };
}

/** How a repeat of a late answer is found, which uses up no rate. */
export function repeatsOfAnswer(
  db: Db,
  bot: BotPrincipal,
  { subject, body, key }: LateRequest,
): Pick<ChargeOptions<LateResult>, 'findRepeat' | 'isRepeat'> {
  if (key === undefined) return {};
  const request = keyedRequest(bot, subject, body, key);
  return { findRepeat: () => findAnswer<LateResult>(db, request), isRepeat: isRepeated };
}

function keyedRequest(
  { spaceId, botId }: BotPrincipal,
  { id }: ResponseSubject,
  body: LateRequest['body'],
  key: string,
): IdempotentRequest {
  return { spaceId, scope: `responses:${botId}`, key, fingerprint: fingerprint([id, body]) };
}

interface Place extends ResponseSubject {
  spaceId: string;
  original: string | null;
}

async function apply(
  tx: Tx,
  { applier, deleteMessage }: LateParts,
  place: Place,
  answer: LateAnswer,
): Promise<LateResult> {
  if (answer.kind === 'choices') {
    await answerOptionRequest(tx, place.spaceId, place.id, answer.choices);
    return { answeredId: place.id };
  }
  await requireBotAccess(tx, place, place.kind === 'command');
  if (answer.kind === 'delete_message') return deleteOriginal(tx, deleteMessage, place);
  if (answer.kind === 'update_message') requireOriginal(place);
  const context = { ...place, messageId: place.original, actionId: '', triggerId: null, commandId: null };
  // A person's command lets the bot answer where it was given (decisions, section 5).
  const access = place.kind === 'command' ? ('granted' as const) : undefined;
  const answered = { context, clickId: undefined, modalId: undefined, chainDepth: 0, access };
  const effect = await applier.apply(tx, answered, answer);
  await requirePersonAccess(tx, place, effect);
  return outcomeOf(place, effect);
}

async function deleteOriginal(tx: Tx, deleteMessage: DeleteMessage, place: Place): Promise<LateResult> {
  const { spaceId, botId } = place;
  const id = requireOriginal(place);
  const actor = { id: botId, type: 'bot' } as const;
  const refusal = await deleteMessage.in(tx, { spaceId, messageId: id, actor, access: 'answer' });
  if (!refusal) return {};
  const shown = refusal.refused === 'unknown_message' && (await deleteEphemeral(tx, { spaceId, botId, id }));
  if (!shown) throw deletionRefused(refusal.refused);
  return { live: ephemeralDeletedEvent(shown) };
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
