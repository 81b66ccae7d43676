import { validateJson, parseMetadata } from '@tieline/interactive';
import type { Metadata } from '@tieline/interactive';
import { ApiError, bodyReader } from '@tieline/platform/http';
import { CommandAnswerDto } from './dto/command-answer.dto.js';

/**
 * What a bot answered at once: words for the person or for the channel, or that it will answer
 * later.
 */
export type CommandAnswer =
  | { kind: 'later' }
  | { kind: 'modal'; modal: Fields }
  | {
      kind: 'text';
      responseType: 'ephemeral' | 'in_channel';
      text: string;
      metadata: Metadata | undefined;
    };

type Fields = Readonly<Record<string, unknown>>;

const read = bodyReader(CommandAnswerDto);

/**
 * Reads a bot's synchronous answer (contract, "Slash invocation delivery"). No body and `{}` mean
 * later; unknown fields are ignored.
 * @returns undefined for a bad answer: the person who typed the command is not told what is wrong
 * with it
 */
export function readCommandAnswer(answer: Fields | undefined): CommandAnswer | undefined {
  if (answer === undefined || Object.keys(answer).length === 0) return { kind: 'later' };
  try {
    if (answer.open_modal != null) return modalOf(answer);
    const { response_type: responseType, text: given, metadata_json: json } = read(answer);
    const text = given.toWellFormed();
    return { kind: 'text', responseType: responseType ?? 'ephemeral', text, metadata: parseMetadata(json) };
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** A modal stands alone; nothing inside it is judged. */
function modalOf(answer: Fields): CommandAnswer | undefined {
  const { open_modal: modal, text } = validateJson(answer);
  const isObject = typeof modal === 'object' && modal !== null && !Array.isArray(modal);
  return isObject && text == null ? { kind: 'modal', modal: modal as Fields } : undefined;
}
