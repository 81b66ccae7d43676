import { setTimeout as sleep } from 'node:timers/promises';

/** How often something is tried; times in milliseconds. */
export interface Patience {
  /** The first pause; each one is twice as long as the one before. */
  firstMs: number;
  /** No pause is longer. */
  lastMs: number;
  /** Ends the trying. */
  signal: AbortSignal;
  /** Is told why an attempt failed. */
  failed: (error: Error) => void;
}

/** Tries until it works. @returns undefined when `signal` was aborted before */
export async function untilItWorks<T>(
  attempt: () => Promise<T>,
  { firstMs, lastMs, signal, failed }: Patience,
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
