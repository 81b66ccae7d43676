import { TranslatedAnswer } from '@tieline/slash';
import { isObject } from '../blocks/rules.js';
import type { Json } from '../blocks/rules.js';
import { SlackError } from '../dispatcher/slack-error.js';
import { answerContent } from '../messages/message-content.js';

/**
 * Returns the answer to a command, or undefined if the app only acknowledged. A value that is no
 * answer stays, so that it is refused as every other.
 */
export function commandAnswer(answer: unknown): unknown {
  if (answer === undefined || answer === null || answer === '') return undefined;
  if (typeof answer === 'string') return translated({ text: answer });
  return isObject(answer) ? translated(answer) : answer;
}

function translated(answer: Json): unknown {
  if (Object.keys(answer).length === 0) return undefined;
  try {
    const { content: text, metadata, textDerived, sourceJson, hasElements } = answerContent(answer);
    const responseType = answer['response_type'] === 'in_channel' ? 'in_channel' : 'ephemeral';
    return new TranslatedAnswer({
      kind: 'text',
      ...{ responseType, text, metadata, textDerived, sourceJson, hasElements },
    });
  } catch (error) {
    if (error instanceof SlackError) return answer;
    throw error;
  }
}
