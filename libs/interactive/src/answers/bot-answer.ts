import { bodyReader, parseJsonObject } from '@tieline/platform/http';
import { answerAmbiguous, answerUnknown, updateEmpty } from '../interactive.errors.js';
import { ModalDefinition } from '../modals/validated/modal-definition.js';
import { parseMetadata } from '../schema/metadata.js';
import type { Metadata } from '../schema/metadata.js';
import { BotAnswerDto } from './dto/bot-answer.dto.js';
import type { BotAnswerMessageDto, BotAnswerUpdateDto } from './dto/bot-answer.dto.js';

/**
 * What a bot wants to happen after a click: one of five; after a submission one of eight
 * (decisions, section 11.6).
 */
export type BotAnswer =
  /** A part that is undefined is kept; metadata null is removed. */
  | { kind: 'update_message'; text: string | undefined; metadata: Metadata | null | undefined }
  | { kind: 'send_message'; text: string; metadata: Metadata | undefined }
  | { kind: 'ephemeral'; text: string; metadata: Metadata | undefined }
  | { kind: 'open_modal'; definition: ModalDefinition }
  | ChangeAnswer
  /** In words for the person, by the ids of fields. */
  | { kind: 'errors'; errors: Readonly<Record<string, string>> }
  | { kind: 'noop' };

export type UpdateAnswer = Extract<BotAnswer, { kind: 'update_message' }>;
export type SendAnswer = Extract<BotAnswer, { kind: 'send_message' }>;
/** Another form in the place of the one that was submitted, or on top of it. */
export interface ChangeAnswer {
  kind: 'update_modal' | 'push_modal';
  definition: ModalDefinition;
}

type Fields = Readonly<Record<string, unknown>>;

const MODAL_KINDS = ['open_modal', 'update_modal', 'push_modal'] as const;
const KINDS = ['update_message', 'send_message', 'ephemeral_text', 'noop', 'errors', ...MODAL_KINDS] as const;
const read = bodyReader(BotAnswerDto);

/**
 * Reads a bot's answer to an interaction (contract, Interactive, "Response types"; decisions,
 * section 5). No body and `{}` are noop; fields that are null count as absent, unknown ones are
 * ignored.
 * @throws 400 for none or several of them, and for what breaks a rule, with its place
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

/** @throws 400 for an update that changes nothing, and for what breaks a rule of metadata_json */
export function updateAnswer({ text, metadata_json: json }: BotAnswerUpdateDto): UpdateAnswer {
  if (text == null && json == null) throw updateEmpty();
  return { kind: 'update_message', text: text ?? undefined, metadata: newMetadata(json) };
}

/** @throws 400 for what breaks a rule of metadata_json */
export function sendAnswer({ text, metadata_json: json }: BotAnswerMessageDto): SendAnswer {
  return { kind: 'send_message', text, metadata: parseMetadata(json, 'send_message.metadata_json') };
}

/** @throws 400 for what breaks a rule of metadata_json */
export function ephemeralAnswer(text: string, json: unknown): Extract<BotAnswer, { kind: 'ephemeral' }> {
  return { kind: 'ephemeral', text, metadata: parseMetadata(json) };
}

/**
 * The same for the answer of a callback, whose depth and NUL characters nobody has validated yet.
 * @throws 400
 */
export function readCallbackAnswer(given: Fields | undefined): BotAnswer {
  if (given === undefined) return { kind: 'noop' };
  return readBotAnswer(validateJson(given));
}

/** A callback's answer, with its depth and NUL characters validated. @throws 400 */
export function validateJson(given: Fields): Fields {
  return parseJsonObject(textOfJson(given));
}

/** JSON that is nested too deep for JSON.stringify is too deep for parseJsonObject. */
function textOfJson(value: Fields): string {
  try {
    return JSON.stringify(value);
  } catch {
    throw answerUnknown();
  }
}

/** Absent and null keep what is there; "" removes it. */
function newMetadata(given: unknown): Metadata | null | undefined {
  if (given === undefined || given === null) return undefined;
  return parseMetadata(given, 'update_message.metadata_json') ?? null;
}
