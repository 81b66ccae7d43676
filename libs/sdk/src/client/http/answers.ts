import { nameOf } from './http-request.js';
import type { RequestName } from './http-request.js';
import { retryAfterMs } from './retries.js';
import { TielineError } from '../tieline-error.js';

/** Advice added to errors, by code. */
const ADVICE: Readonly<Record<string, string>> = {
  bot_not_in_conversation: 'join the channel first: client.join(conversationId), or an admin adds the bot',
  token_of_a_person: 'use the token of a bot, which starts with tlb_',
};

/** Parses a response body. Returns undefined for an empty one and the text if it is not JSON. */
export function parseBody(text: string): { value: unknown; isJson: boolean } {
  if (text === '') return { value: undefined, isJson: true };
  try {
    return { value: JSON.parse(text), isJson: true };
  } catch {
    return { value: text, isJson: false };
  }
}

/** Returns the error of a failed response, after reading its body. */
export async function errorOfAnswer(request: RequestName, answer: Response): Promise<TielineError> {
  return errorOf(request, answer, parseBody(await answer.text()).value);
}

/** Returns the error of a failed response. */
export function errorOf(request: RequestName, answer: Response, body: unknown): TielineError {
  const { error, code, field } = (typeof body === 'object' && body !== null ? body : {}) as Record<
    string,
    unknown
  >;
  const message = typeof error === 'string' ? error : answer.statusText || 'no reason given';
  const reason = typeof code === 'string' ? code : `http_${answer.status}`;
  const place = typeof field === 'string' ? `, field ${field}` : '';
  const advice = ADVICE[reason] === undefined ? '' : `; ${ADVICE[reason]}`;
  return new TielineError(`${nameOf(request)}: ${answer.status} ${message} (${reason}${place})${advice}`, {
    status: answer.status,
    code: reason,
    field: typeof field === 'string' ? field : undefined,
    retryAfterMs: retryAfterMs(answer.headers, Date.now()),
    requestId: answer.headers.get('x-request-id') ?? undefined,
    body,
  });
}
