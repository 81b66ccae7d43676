/**
 * Returns the result of `work` if it arrives in time. Late results and errors are ignored.
 *
 * @throws Error "<what> within <ms> ms". It is created only on timeout: every rate-limited request
 * passes through here, and creating an error with its stack for each would cost more than the rest.
 */
export async function withinDeadline<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
