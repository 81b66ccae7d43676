import { characters, parseJsonObject } from '@tieline/platform/http';
import { answerAmbiguous, answerMalformed, answerUnknown } from '../interactive.errors.js';
import { parseMetadata } from '../schema/metadata.js';
import type { Metadata } from '../schema/metadata.js';
import { isObject } from '../schema/schema-rules.js';

const MAX_TEXT = 4000;

/** What a bot wants to happen after a click: one of five. */
export type BotAnswer =
  /** A part that is undefined is kept; metadata null is removed. */
  | { kind: 'update_message'; text: string | undefined; metadata: Metadata | null | undefined }
  | { kind: 'send_message'; text: string; metadata: Metadata | undefined }
  | { kind: 'ephemeral'; text: string }
  /** As the bot gave it: nothing inside is judged. */
  | { kind: 'open_modal'; modal: Fields }
  | { kind: 'noop' };

type Fields = Readonly<Record<string, unknown>>;

/** One reader per key; each is given a value that is neither undefined nor null. */
const READERS: Readonly<Record<string, (value: unknown) => BotAnswer>> = {
  update_message: (value) => {
    const fields = objectOf(value, 'update_message');
    return {
      kind: 'update_message',
      text: fields.text == null ? undefined : textOf(fields.text, 'update_message.text'),
      metadata: newMetadata(fields.metadata_json),
    };
  },
  send_message: (value) => {
    const fields = objectOf(value, 'send_message');
    return {
      kind: 'send_message',
      text: textOf(fields.text, 'send_message.text'),
      metadata: parseMetadata(fields.metadata_json),
    };
  },
  ephemeral_text: (value) => ({ kind: 'ephemeral', text: textOf(value, 'ephemeral_text') }),
  open_modal: (value) => ({ kind: 'open_modal', modal: objectOf(value, 'open_modal') }),
  noop: (value) => {
    if (value !== true) throw answerMalformed('noop', 'must be true');
    return { kind: 'noop' };
  },
};

/**
 * Reads a bot's answer to an interaction (contract, Interactive, "Response types"; decisions, section 5). No body and `{}`
 * are noop; fields that are null count as absent, unknown ones are ignored.
 * @throws 400 for none or several of the five, and for what breaks a rule, with its place
 */
export function readBotAnswer(given: Fields | undefined): BotAnswer {
  if (given === undefined || Object.keys(given).length === 0) return { kind: 'noop' };
  const keys = Object.keys(READERS).filter((key) => given[key] !== undefined && given[key] !== null);
  if (keys.length > 1) throw answerAmbiguous();
  const reader = READERS[keys[0] ?? ''];
  if (!reader) throw answerUnknown();
  return reader(given[keys[0] as string]);
}

/** The same for an answer that did not come through our own door, where depth and NUL characters are judged. @throws 400 */
export function readCallbackAnswer(given: Fields | undefined): BotAnswer {
  if (given === undefined) return { kind: 'noop' };
  return readBotAnswer(parseJsonObject(textOfJson(given)));
}

/** Too deep for the writer is too deep for the reader. */
function textOfJson(value: Fields): string {
  try {
    return JSON.stringify(value);
  } catch {
    throw answerUnknown();
  }
}

function objectOf(value: unknown, place: string): Fields {
  if (!isObject(value)) throw answerMalformed(place, 'must be an object');
  return value;
}

function textOf(value: unknown, place: string): string {
  if (typeof value !== 'string' || value.trim() === '' || characters(value) > MAX_TEXT)
    throw answerMalformed(place, `must be a text of 1 to ${MAX_TEXT} characters`);
  return value;
}

/** Absent and null keep what is there; "" removes it. */
function newMetadata(given: unknown): Metadata | null | undefined {
  if (given === undefined || given === null) return undefined;
  return parseMetadata(given) ?? null;
}
