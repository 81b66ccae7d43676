/**
 * Waits until `work` is done, at most `ms`. Late errors are ignored.
 * @returns whether it was done in time
 * @throws the error of `work`
 */
export async function doneWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(resolve, ms, false)));
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the result of `work` if it arrives in time. Late results and errors are ignored.
 *
 * @throws Error "<what> within <ms> ms". It is created only on timeout: every rate-limited request
 * passes through here, and creating an error with its stack for each would cost more than the rest.
 */
export async function withinDeadline<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  if (await doneWithin(work, ms)) return work;
  throw new Error(`${what} within ${ms} ms`);
}
