import { nameOf } from './http-request.js';
import type { Named } from './http-request.js';
import { retryAfterMs } from './retries.js';
import { TielineError } from '../tieline-error.js';

/** What to do about a refusal, by its code. */
const ADVICE: Readonly<Record<string, string>> = {
  bot_not_in_conversation: 'join the channel first: client.join(conversationId), or an admin adds the bot',
  token_of_a_person: "a bot's own token is needed, which begins with tlb_",
};

/** An answer's text: JSON parsed, undefined for nothing, else as it is. */
export function parsed(text: string): { value: unknown; isJson: boolean } {
  if (text === '') return { value: undefined, isJson: true };
  try {
    return { value: JSON.parse(text), isJson: true };
  } catch {
    return { value: text, isJson: false };
  }
}

/** The error of an answer that is not 2xx, whose body is still to be read. */
export async function errorOfAnswer(request: Named, answer: Response): Promise<TielineError> {
  return errorOf(request, answer, parsed(await answer.text()).value);
}

/** The error of an answer that is not 2xx. */
export function errorOf(request: Named, answer: Response, body: unknown): TielineError {
  const { error, code, field } = (typeof body === 'object' && body !== null ? body : {}) as Record<
    string,
    unknown
  >;
  const said = typeof error === 'string' ? error : answer.statusText || 'no reason given';
  const reason = typeof code === 'string' ? code : `http_${answer.status}`;
  const place = typeof field === 'string' ? `, field ${field}` : '';
  const advice = ADVICE[reason] === undefined ? '' : `; ${ADVICE[reason]}`;
  return new TielineError(`${nameOf(request)}: ${answer.status} ${said} (${reason}${place})${advice}`, {
    status: answer.status,
    code: reason,
    field: typeof field === 'string' ? field : undefined,
    retryAfterMs: retryAfterMs(answer.headers, Date.now()),
    requestId: answer.headers.get('x-request-id') ?? undefined,
    body,
  });
}
