import { bodyReader, parseJsonObject } from '@tieline/platform/http';
import { answerAmbiguous, answerUnknown, updateEmpty } from '../interactive.errors.js';
import { ModalDefinition } from '../modals/validated/modal-definition.js';
import { parseMetadata } from '../schema/metadata.js';
import type { Metadata } from '../schema/metadata.js';
import { BotAnswerDto } from './dto/bot-answer.dto.js';
import type { BotAnswerMessageDto, BotAnswerUpdateDto } from './dto/bot-answer.dto.js';

/** What an answer in the format of another product adds. */
export interface ForeignContent {
  /** Whether clients show the blocks in place of the text. */
  textDerived?: boolean;
  /** The message, unchanged. */
  sourceJson?: string;
  /** Whether people can use something in it, so that an ephemeral message is stored. */
  hasElements?: boolean;
}

/** A bot's answer: five kinds are allowed for a click, eight for a submitted modal. */
export type BotAnswer =
  /** Undefined parts stay unchanged. Null removes the metadata. */
  | ({
      kind: 'update_message';
      text: string | undefined;
      metadata: Metadata | null | undefined;
    } & ForeignContent)
  | ({ kind: 'send_message'; text: string; metadata: Metadata | undefined } & ForeignContent)
  | ({ kind: 'ephemeral'; text: string; metadata: Metadata | undefined } & ForeignContent)
  | { kind: 'open_modal'; definition: ModalDefinition }
  | ChangeAnswer
  /** Messages for the person, keyed by field id. */
  | { kind: 'errors'; errors: Readonly<Record<string, string>> }
  | { kind: 'noop' };

export type UpdateAnswer = Extract<BotAnswer, { kind: 'update_message' }>;
export type SendAnswer = Extract<BotAnswer, { kind: 'send_message' }>;
/** A modal that replaces the submitted one or is pushed on top of it. */
export interface ChangeAnswer {
  kind: 'update_modal' | 'push_modal';
  definition: ModalDefinition;
}

type Fields = Readonly<Record<string, unknown>>;

const MODAL_KINDS = ['open_modal', 'update_modal', 'push_modal'] as const;
const KINDS = ['update_message', 'send_message', 'ephemeral_text', 'noop', 'errors', ...MODAL_KINDS] as const;
const read = bodyReader(BotAnswerDto);

/**
 * Reads a bot's answer to an interaction. No body and `{}` mean noop. Null fields count as absent,
 * and unknown fields are ignored.
 * @throws 400 if no known field or more than one is set, or if a field is invalid. The error names
 *   the field.
 */
export function readBotAnswer(given: Fields | undefined): BotAnswer {
  if (given === undefined || Object.keys(given).length === 0) return { kind: 'noop' };
  const named = KINDS.filter((kind) => given[kind] !== undefined && given[kind] !== null);
  if (named.length > 1) throw answerAmbiguous();
  if (named.length === 0) throw answerUnknown();
  return answerOf(read(given));
}

function answerOf(given: BotAnswerDto): BotAnswer {
  const { update_message, send_message, ephemeral_text, errors } = given;
  if (update_message) return updateAnswer(update_message);
  if (send_message) return sendAnswer(send_message);
  if (ephemeral_text != null) return ephemeralAnswer(ephemeral_text, given.metadata_json);
  if (errors) return { kind: 'errors', errors };
  for (const kind of MODAL_KINDS) {
    const modal = given[kind];
    if (modal) return { kind, definition: ModalDefinition.read(modal, kind) };
  }
  return { kind: 'noop' };
}

/** @throws 400 if the update changes nothing or metadata_json is invalid. */
export function updateAnswer({ text, metadata_json: json }: BotAnswerUpdateDto): UpdateAnswer {
  if (text == null && json == null) throw updateEmpty();
  return { kind: 'update_message', text: text ?? undefined, metadata: newMetadata(json) };
}

/** @throws 400 if metadata_json is invalid. */
export function sendAnswer({ text, metadata_json: json }: BotAnswerMessageDto): SendAnswer {
  return { kind: 'send_message', text, metadata: parseMetadata(json, 'send_message.metadata_json') };
}

/** @throws 400 if metadata_json is invalid. */
export function ephemeralAnswer(text: string, json: unknown): Extract<BotAnswer, { kind: 'ephemeral' }> {
  return { kind: 'ephemeral', text, metadata: parseMetadata(json) };
}

/**
 * Reads the answer of a callback like `readBotAnswer`, after checking its depth and NUL characters.
 * @throws 400.
 */
export function readCallbackAnswer(given: Fields | undefined): BotAnswer {
  if (given === undefined) return { kind: 'noop' };
  return readBotAnswer(validateJson(given));
}

/** Checks a callback's answer for nesting depth and NUL characters. @throws 400 */
export function validateJson(given: Fields): Fields {
  return parseJsonObject(textOfJson(given));
}

/** JSON that is too deep for JSON.stringify is also too deep for parseJsonObject. */
function textOfJson(value: Fields): string {
  try {
    return JSON.stringify(value);
  } catch {
    throw answerUnknown();
  }
}

/** Absent and null keep the current metadata; "" removes it. */
function newMetadata(given: unknown): Metadata | null | undefined {
  if (given === undefined || given === null) return undefined;
  return parseMetadata(given, 'update_message.metadata_json') ?? null;
}
