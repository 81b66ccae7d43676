import { isRepeatable } from './idempotency.js';
import { MAX_PAUSE_MS, isWorthRetrying, pauseMs, retryAfterMs } from './retries.js';
import { nameOf } from './http-request.js';
import type { HttpRequest } from './http-request.js';
import { TielineError } from '../tieline-error.js';
import { RequestTimeout, delay, withTimeout } from './waiting.js';

/** Settings for sending requests. */
export interface SendSettings {
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly retries: number;
}

/** Reads a response within the time limit. Calls `keep` to continue reading after that. */
export type ReadAnswer<T> = (answer: Response, keep: () => void) => Promise<T>;

/**
 * Sends a request and retries it if that is safe and may help. Returns the last response,
 * regardless of its status, as read by `read`. The time limit applies to each attempt, including
 * reading.
 * @throws TielineError with status 0 without a response
 * @throws the signal's reason when the caller aborts
 */
export async function send<T>(
  sendSettings: SendSettings,
  request: HttpRequest,
  read: ReadAnswer<T>,
): Promise<T> {
  const repeatable = request.keyed === true || isRepeatable(request.method);
  const tries = sendSettings.retries + 1;
  for (let failures = 1; ; failures++) {
    const outcome = await attempt(sendSettings, request, read, { repeatable, left: failures < tries });
    if ('result' in outcome) return outcome.result;
    await delay(pauseMs(failures, outcome.requestedMs, Math.random), request.signal);
  }
}

interface RetryState {
  /** Whether a retry is safe. */
  readonly repeatable: boolean;
  /** Whether attempts are left. */
  readonly left: boolean;
}

type Outcome<T> = { result: T } | { requestedMs: number | undefined };

async function attempt<T>(
  { fetch, timeoutMs }: SendSettings,
  request: HttpRequest,
  read: ReadAnswer<T>,
  { repeatable, left }: RetryState,
): Promise<Outcome<T>> {
  const { method, url, body } = request;
  try {
    return await withTimeout(timeoutMs, request.signal, async (signal, keep) => {
      const headers = new Headers(request.headers);
      for (const [name, value] of Object.entries((await request.sign?.()) ?? {})) headers.set(name, value);
      // Redirects are not followed. The API sends none, and one of a proxy could leak the token.
      const answer = await fetch(url, { method, headers, body: body ?? null, signal, redirect: 'manual' });
      if (isRedirect(answer)) throw redirectRefused(request, answer);
      if (left && isWorthRetrying(answer.status, repeatable)) {
        const requestedMs = retryAfterMs(answer.headers, Date.now());
        if ((requestedMs ?? 0) <= MAX_PAUSE_MS) {
          await answer.body?.cancel();
          return { requestedMs };
        }
      }
      return { result: await read(answer, keep) };
    });
  } catch (error) {
    if (request.signal?.aborted || error instanceof TielineError) throw error;
    if (left && (repeatable || wasNeverSent(error))) return { requestedMs: undefined };
    throw noAnswer(request, error);
  }
}

function isRedirect(answer: Response): boolean {
  return answer.type === 'opaqueredirect' || [301, 302, 303, 307, 308].includes(answer.status);
}

function redirectRefused(request: HttpRequest, answer: Response): TielineError {
  const location = answer.headers.get('location');
  const target =
    location === null || !URL.canParse(location, request.url.href)
      ? undefined
      : new URL(location, request.url);
  const where = target === undefined ? 'elsewhere' : `to ${target.origin}`;
  return new TielineError(
    `${nameOf(request)}: redirected ${where}. Redirects are not followed; configure the final URL`,
    { status: 0, code: 'redirect_refused' },
  );
}

function noAnswer(request: HttpRequest, error: unknown): TielineError {
  const late = error instanceof RequestTimeout;
  return new TielineError(
    `${nameOf(request)}: ${late ? error.message : `no response (${reasonOf(error)})`}`,
    {
      status: 0,
      code: late ? 'timeout' : 'network_error',
      cause: error,
    },
  );
}

/** Node.js errors that prove that the server received nothing. Other platforms do not tell. */
const BEFORE_SENDING: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function wasNeverSent(error: unknown): boolean {
  return BEFORE_SENDING.has((error as { cause?: { code?: unknown } }).cause?.code);
}

/** Returns the reason of a failure. `fetch failed` has it in its cause. */
function reasonOf(error: unknown): string {
  const { code, message, cause } = error as { code?: string; message?: string; cause?: { code?: string } };
  return cause?.code ?? code ?? message ?? 'network failure';
}
