import { characters, toWellFormed } from '@tieline/platform/http';

const MAX_TEXT = 4000;

/** What a bot answered at once: words for the person or for the channel, or that it will answer later. */
export type CommandAnswer =
  { kind: 'later' } | { kind: 'text'; responseType: 'in_channel' | 'ephemeral'; text: string };

/**
 * Judges a bot's synchronous answer (contract, "Slash invocation delivery"). No body and `{}` mean later; anything else
 * needs a text of 1..4000 characters that is not only white space. Unknown fields are ignored.
 * @returns undefined for a bad answer
 */
export function readCommandAnswer(
  answer: Readonly<Record<string, unknown>> | undefined,
): CommandAnswer | undefined {
  if (answer === undefined || Object.keys(answer).length === 0) return { kind: 'later' };
  const responseType = answer.response_type ?? 'ephemeral';
  if (responseType !== 'in_channel' && responseType !== 'ephemeral') return undefined;
  const { text } = answer;
  if (typeof text !== 'string' || text.trim() === '' || text.includes('\0') || characters(text) > MAX_TEXT)
    return undefined;
  return { kind: 'text', responseType, text: toWellFormed(text) };
}
