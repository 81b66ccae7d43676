/**
 * What `work` answers, if it does so in time; otherwise it goes on and nobody hears of its end.
 *
 * @throws Error "<what> within <ms> ms", made only then: every request to the limiter comes through
 * here, and an error with its stack, made in advance, costs more than all the rest
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
