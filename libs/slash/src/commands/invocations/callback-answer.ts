import { validateJson, parseMetadata } from '@tieline/interactive';
import type { ForeignContent, Metadata } from '@tieline/interactive';
import { ApiError, bodyReader } from '@tieline/platform/http';
import { commandAnswerInvalid } from '../../slash.errors.js';
import { CommandAnswerDto } from './dto/command-answer.dto.js';

/**
 * A bot's synchronous answer: a text for the person or the conversation, a modal, or a later
 * answer.
 */
export type CommandAnswer =
  | { kind: 'later' }
  | { kind: 'modal'; modal: Fields }
  | ({
      kind: 'text';
      responseType: 'ephemeral' | 'in_channel';
      text: string;
      metadata: Metadata | undefined;
    } & ForeignContent);

/** An answer that was read in the format of another product. No JSON of a bot is one. */
export class TranslatedAnswer {
  constructor(readonly answer: CommandAnswer) {}
}

type Fields = Readonly<Record<string, unknown>>;

const read = bodyReader(CommandAnswerDto);

/**
 * Reads a bot's synchronous answer. No body and `{}` mean that the answer comes later; unknown
 * fields are ignored.
 * @throws 400 for an invalid answer, without saying what is wrong with it
 */
export function readCommandAnswer(answer: Fields | undefined): CommandAnswer {
  if (answer instanceof TranslatedAnswer) return answer.answer;
  if (answer === undefined || Object.keys(answer).length === 0) return { kind: 'later' };
  try {
    if (answer.open_modal != null) return modalOf(answer);
    const { response_type: responseType, text: given, metadata_json: json } = read(answer);
    const text = given.toWellFormed();
    return { kind: 'text', responseType: responseType ?? 'ephemeral', text, metadata: parseMetadata(json) };
  } catch (error) {
    throw error instanceof ApiError ? commandAnswerInvalid() : error;
  }
}

/** A modal cannot be combined with a text. Its content is not validated here. */
function modalOf(answer: Fields): CommandAnswer {
  const { open_modal: modal, text } = validateJson(answer);
  const isObject = typeof modal === 'object' && modal !== null && !Array.isArray(modal);
  if (!isObject || text != null) throw commandAnswerInvalid();
  return { kind: 'modal', modal: modal as Fields };
}
