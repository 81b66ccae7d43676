import type { LateAnswer } from '@tieline/interactive';
import type { Json } from '../blocks/rules.js';
import { SlackError } from '../dispatcher/slack-error.js';
import { answerContent } from '../messages/message-content.js';

/** A late answer in Tieline's words, or the name of the error. */
export type ReadResponse = { answer: LateAnswer } | { error: string };

/**
 * Reads a body that an app sent to a `response_url`: `delete_original`, `replace_original`, a new
 * message in the channel, or by default a message for the person.
 */
export function readResponse(body: Json): ReadResponse {
  if (body['delete_original'] === true) return { answer: { kind: 'delete_message' } };
  try {
    const { content: text, metadata, textDerived, sourceJson, hasElements } = answerContent(body);
    const sent = { text, textDerived, sourceJson, hasElements };
    if (body['replace_original'] === true)
      return { answer: { kind: 'update_message', metadata: metadata ?? null, ...sent } };
    const kind = body['response_type'] === 'in_channel' ? 'send_message' : 'ephemeral';
    return { answer: { kind, metadata, ...sent } };
  } catch (error) {
    if (error instanceof SlackError) return { error: error.error };
    throw error;
  }
}
