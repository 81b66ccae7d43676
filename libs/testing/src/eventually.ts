import { setTimeout as sleep } from 'node:timers/promises';
import { slackMs } from './slack.js';

/** Limits of {@link eventually}, in milliseconds. */
export interface EventuallyOptions {
  /** Default 20,000. */
  timeoutMs?: number;
  /** Default 25. */
  everyMs?: number;
}

/**
 * Repeats `check` until it neither throws nor returns `false`, and returns its value. After the
 * timeout it throws the last error, so that an `expect` inside explains the failure.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { timeoutMs = 20_000, everyMs = 25 }: EventuallyOptions = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs + slackMs;
  for (;;) {
    let failure: unknown;
    try {
      const value = await check();
      if (value !== false) return value;
      failure = new Error(`still false after ${timeoutMs} ms`);
    } catch (error) {
      failure = error;
    }
    if (Date.now() >= deadline) throw failure;
    await sleep(everyMs);
  }
}
