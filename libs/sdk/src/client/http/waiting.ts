/** Waits for some milliseconds. @throws the signal's reason when it aborts */
export function delay(milliseconds: number, signal?: AbortSignal | null): Promise<void> {
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
 * Runs `work` with a signal that aborts with the caller's signal or after the time limit. When the
 * work has ended, the caller's signal is detached, unless the work has called `keep`.
 * @throws what the work throws, such as the signal's reason
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
  const timer = setTimeout(() => controller.abort(new RequestTimeout(milliseconds)), milliseconds);
  let kept = false;
  try {
    return await work(controller.signal, () => (kept = true));
  } finally {
    clearTimeout(timer);
    if (!kept) outer?.removeEventListener('abort', pass);
  }
}

/** Reason of an abort by {@link withTimeout}. */
export class RequestTimeout extends Error {
  constructor(milliseconds: number) {
    super(`no response within ${milliseconds} ms`);
  }
}
