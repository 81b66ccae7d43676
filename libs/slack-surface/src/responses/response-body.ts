import { textOf } from '../commands/command-answer.js';

type Json = Readonly<Record<string, unknown>>;

/** A late answer in Tieline's words, or the name of the error. */
export type ReadResponse = { answer: Record<string, unknown> } | { error: string };

/**
 * Reads a body that an app sent to a `response_url`: `delete_original`, `replace_original`, a new
 * message in the channel, or by default a text for the person.
 */
export function readResponse(body: Json): ReadResponse {
  if (body['delete_original'] === true) return { answer: { delete_message: true } };
  const text = textOf(body);
  if (text === undefined) return { error: 'no_text' };
  if (body['replace_original'] === true) return { answer: { update_message: { text } } };
  if (body['response_type'] === 'in_channel') return { answer: { send_message: { text } } };
  return { answer: { ephemeral_text: text } };
}
