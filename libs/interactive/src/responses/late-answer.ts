import { bodyReader } from '@tieline/platform/http';
import { sendAnswer, updateAnswer } from '../answers/bot-answer.js';
import type { BotAnswer } from '../answers/bot-answer.js';
import { lateAnswerAmbiguous, lateAnswerUnknown } from '../interactive.errors.js';
import { LateAnswerDto } from './dto/late-answer.dto.js';

/** What a bot wants to happen late. */
export type LateAnswer =
  Extract<BotAnswer, { kind: 'update_message' | 'send_message' | 'ephemeral' }> | { kind: 'delete_message' };

type Fields = Readonly<Record<string, unknown>>;

const KINDS = ['update_message', 'delete_message', 'send_message', 'ephemeral_text'] as const;
const read = bodyReader(LateAnswerDto);

/** Reads a late answer (decisions, section 11.4). @throws 400 for none or several, and for what breaks a rule, with its place */
export function readLateAnswer(given: Fields | undefined): LateAnswer {
  const named = KINDS.filter((kind) => given?.[kind] !== undefined && given[kind] !== null);
  if (named.length > 1) throw lateAnswerAmbiguous();
  if (named.length === 0) throw lateAnswerUnknown();
  const { update_message, send_message, ephemeral_text } = read(given);
  if (update_message) return updateAnswer(update_message);
  if (send_message) return sendAnswer(send_message);
  return ephemeral_text != null ? { kind: 'ephemeral', text: ephemeral_text } : { kind: 'delete_message' };
}
