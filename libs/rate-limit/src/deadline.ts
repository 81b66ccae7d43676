import { withinDeadline } from '@tieline/background';
import { RateLimiterUnavailable } from './rate-limiter.js';

/**
 * How long a caller waits for its decision at most, in milliseconds: a request answers 503 rather
 * than hang.
 */
export const DEADLINE_MS = 900;

/**
 * The result of `work`; a failure, and no result within {@link DEADLINE_MS}, is a
 * RateLimiterUnavailable.
 * @param late gets a result that comes when nobody waits for it any more
 */
export async function decided<T>(work: Promise<T>, late?: (result: T) => void): Promise<T> {
  let isAwaited = true;
  if (late)
    work.then(
      (result) => (isAwaited ? undefined : late(result)),
      () => undefined,
    );
  try {
    return await withinDeadline(work, DEADLINE_MS, 'no answer');
  } catch (error) {
    throw error instanceof RateLimiterUnavailable ? error : new RateLimiterUnavailable(error);
  } finally {
    isAwaited = false;
  }
}
