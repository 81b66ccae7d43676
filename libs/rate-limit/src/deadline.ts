import { withinDeadline } from '@tieline/background';
import { RateLimiterUnavailable } from './rate-limiter.js';

/** Timeout of a decision in milliseconds: a request answers 503 rather than hang. */
export const DEADLINE_MS = 900;

/**
 * Returns the result of `work`. A failure, or no result within the deadline, becomes a
 * RateLimiterUnavailable.
 * @param late receives a result after the deadline
 */
export async function decided<T>(
  work: Promise<T>,
  deadlineMs: number,
  late?: (result: T) => void,
): Promise<T> {
  let isAwaited = true;
  if (late)
    work.then(
      (result) => (isAwaited ? undefined : late(result)),
      () => undefined,
    );
  try {
    return await withinDeadline(work, deadlineMs, 'no answer');
  } catch (error) {
    throw error instanceof RateLimiterUnavailable ? error : new RateLimiterUnavailable(error);
  } finally {
    isAwaited = false;
  }
}
