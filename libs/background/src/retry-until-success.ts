import { setTimeout as sleep } from 'node:timers/promises';

/** Retry settings; times in milliseconds. */
export interface RetryOptions {
  /** The first pause. Each further pause is twice as long. */
  firstMs: number;
  /** The longest pause. */
  lastMs: number;
  /** Aborts the retries. */
  signal: AbortSignal;
  /** Called with the error of each failed attempt. */
  failed: (error: Error) => void;
}

/**
 * Retries with exponential backoff until it succeeds.
 *
 * @returns undefined if `signal` was aborted first
 */
export async function retryUntilSuccess<T>(
  attempt: () => Promise<T>,
  { firstMs, lastMs, signal, failed }: RetryOptions,
): Promise<T | undefined> {
  for (let pause = firstMs; !signal.aborted; pause = Math.min(pause * 2, lastMs)) {
    try {
      return await attempt();
    } catch (error) {
      failed(error as Error);
    }
    await sleep(pause, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}
