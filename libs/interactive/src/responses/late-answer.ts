import { bodyReader } from '@tieline/platform/http';
import { ephemeralAnswer, sendAnswer, updateAnswer } from '../answers/bot-answer.js';
import type { BotAnswer } from '../answers/bot-answer.js';
import { lateAnswerAmbiguous, lateAnswerUnknown } from '../interactive.errors.js';
import type { Choice } from '../choices/choice.view.js';
import { choicesOf } from '../choices/dto/choices.dto.js';
import type { ResponseKind } from './response-subject.js';
import { LateAnswerDto } from './dto/late-answer.dto.js';

/** A bot's late answer. */
export type LateAnswer =
  | Extract<BotAnswer, { kind: 'update_message' | 'send_message' | 'ephemeral' }>
  | { kind: 'delete_message' }
  | { kind: 'choices'; choices: Choice[] };

type Fields = Readonly<Record<string, unknown>>;

const MESSAGE_KINDS = ['update_message', 'delete_message', 'send_message', 'ephemeral_text'] as const;
const KINDS = [...MESSAGE_KINDS, 'choices'] as const;
const read = bodyReader(LateAnswerDto);

/**
 * Reads a late answer. `choices` is required for a request for options and not allowed otherwise.
 * @throws 400 if no known field or more than one is set, or if a field is invalid; the error names
 *   the field
 */
export function readLateAnswer(given: Fields | undefined, answers: ResponseKind): LateAnswer {
  const possible: readonly string[] = answers === 'options' ? ['choices'] : MESSAGE_KINDS;
  const named = KINDS.filter((kind) => given?.[kind] !== undefined && given[kind] !== null);
  if (named.length > 1) throw lateAnswerAmbiguous(possible);
  if (!named.some((kind) => possible.includes(kind))) throw lateAnswerUnknown(possible);
  const { update_message, send_message, ephemeral_text, metadata_json, choices } = read(given);
  if (choices) return { kind: 'choices', choices: choicesOf(choices) };
  if (update_message) return updateAnswer(update_message);
  if (send_message) return sendAnswer(send_message);
  return ephemeral_text != null ? ephemeralAnswer(ephemeral_text, metadata_json) : { kind: 'delete_message' };
}
