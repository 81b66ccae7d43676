import { withinDeadline } from '@tieline/background';
import { RateLimiterUnavailable } from './rate-limiter.js';

/** How long a caller waits for its decision at most, in milliseconds: a request answers 503 rather than hang. */
export const DEADLINE_MS = 900;

/** The result of `work`; a failure, and no result within {@link DEADLINE_MS}, is a RateLimiterUnavailable. */
export async function decided<T>(work: Promise<T>): Promise<T> {
  try {
    return await withinDeadline(work, DEADLINE_MS, 'no answer');
  } catch (error) {
    throw error instanceof RateLimiterUnavailable ? error : new RateLimiterUnavailable(error);
  }
}
