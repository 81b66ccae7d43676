import { isRepeatable } from './idempotency.js';
import { LONGEST_PAUSE_MS, mayPass, pauseMs, retryAfterMs } from './retries.js';
import { nameOf } from './http-request.js';
import type { HttpRequest } from './http-request.js';
import { TielineError } from '../tieline-error.js';
import { TimeIsUp, rest, withTimeout } from './waiting.js';

/** How requests are sent. */
export interface Transport {
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly retries: number;
}

/** Reads an answer within the time of the try; one that goes on after that calls `keep`. */
export type ReadAnswer<T> = (answer: Response, keep: () => void) => Promise<T>;

/**
 * Sends a request, again when that is harmless and may help, and returns the last answer whatever
 * its status, as `read` has read it. The time limit is for one try, reading included.
 * @throws TielineError with status 0 when there is no answer; the signal's reason when the caller
 * aborts
 */
export async function send<T>(transport: Transport, request: HttpRequest, read: ReadAnswer<T>): Promise<T> {
  const repeatable = request.keyed === true || isRepeatable(request.method);
  const tries = transport.retries + 1;
  for (let failures = 1; ; failures++) {
    const outcome = await attempt(transport, request, read, { repeatable, left: failures < tries });
    if ('result' in outcome) return outcome.result;
    await rest(pauseMs(failures, outcome.asked, Math.random), request.signal);
  }
}

interface Chances {
  /** Whether a second try does no harm. */
  readonly repeatable: boolean;
  /** Whether there are tries left. */
  readonly left: boolean;
}

type Outcome<T> = { result: T } | { asked: number | undefined };

async function attempt<T>(
  { fetch, timeoutMs }: Transport,
  request: HttpRequest,
  read: ReadAnswer<T>,
  { repeatable, left }: Chances,
): Promise<Outcome<T>> {
  const { method, url, body } = request;
  try {
    return await withTimeout(timeoutMs, request.signal, async (signal, keep) => {
      const headers = new Headers(request.headers);
      for (const [name, value] of Object.entries((await request.sign?.()) ?? {})) headers.set(name, value);
      // No redirect is followed: this API makes none, and one that a proxy makes could carry the
      // token elsewhere.
      const answer = await fetch(url, { method, headers, body: body ?? null, signal, redirect: 'manual' });
      if (isRedirect(answer)) throw redirectRefused(request, answer);
      if (left && mayPass(answer.status, repeatable)) {
        const asked = retryAfterMs(answer.headers, Date.now());
        if ((asked ?? 0) <= LONGEST_PAUSE_MS) {
          await answer.body?.cancel();
          return { asked };
        }
      }
      return { result: await read(answer, keep) };
    });
  } catch (error) {
    if (request.signal?.aborted || error instanceof TielineError) throw error;
    if (left && (repeatable || wasNeverSent(error))) return { asked: undefined };
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
    `${nameOf(request)}: redirected ${where}, which is not followed; give the client the final url`,
    { status: 0, code: 'redirect_refused' },
  );
}

function noAnswer(request: HttpRequest, error: unknown): TielineError {
  const late = error instanceof TimeIsUp;
  return new TielineError(`${nameOf(request)}: ${late ? error.message : `no answer (${reasonOf(error)})`}`, {
    status: 0,
    code: late ? 'timeout' : 'network_error',
    cause: error,
  });
}

/**
 * Failures of Node.js after which it is certain that the server has seen nothing; other platforms
 * do not tell.
 */
const BEFORE_SENDING: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function wasNeverSent(error: unknown): boolean {
  return BEFORE_SENDING.has((error as { cause?: { code?: unknown } }).cause?.code);
}

/** `fetch failed` alone helps nobody; what it stands for is in the cause. */
function reasonOf(error: unknown): string {
  const { code, message, cause } = error as { code?: string; message?: string; cause?: { code?: string } };
  return cause?.code ?? code ?? message ?? 'network failure';
}
