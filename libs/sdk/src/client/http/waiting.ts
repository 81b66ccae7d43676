/**
 * Rests for some milliseconds. @throws the signal's reason as soon as it aborts; no timer is left
 * behind.
 */
export function rest(milliseconds: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/**
 * Runs `work` with a signal that aborts with the caller's, or when the time is up. Once the work
 * has ended it is let go of, unless the work has called `keep`: then the caller's signal goes on
 * ending what was begun.
 * @throws what the work throws, which is the signal's reason when it honours the signal
 */
export async function withTimeout<T>(
  milliseconds: number,
  outer: AbortSignal | null | undefined,
  work: (signal: AbortSignal, keep: () => void) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const pass = () => controller.abort(outer?.reason);
  if (outer?.aborted) pass();
  outer?.addEventListener('abort', pass, { once: true });
  const timer = setTimeout(() => controller.abort(new TimeIsUp(milliseconds)), milliseconds);
  let kept = false;
  try {
    return await work(controller.signal, () => (kept = true));
  } finally {
    clearTimeout(timer);
    if (!kept) outer?.removeEventListener('abort', pass);
  }
}

/** The reason with which {@link withTimeout} aborts by itself. */
export class TimeIsUp extends Error {
  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds} ms`);
  }
}
