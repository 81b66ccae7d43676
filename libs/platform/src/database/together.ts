/** SQLSTATE of statements after a failed one in the same transaction. */
const ABORTED = '25P02';

/**
 * Waits for statements of one transaction that were sent without waiting for each other. They share
 * a round trip. The server executes them in order, so each one sees what the one before it has
 * written or waited for.
 *
 * @returns their results
 * @throws the first error, in the order of `works`, once all of them have settled. Errors that only
 * follow from a failed statement come last.
 */
export async function together<T extends readonly unknown[]>(
  ...works: { [K in keyof T]: Promise<T[K]> }
): Promise<T> {
  const settled = await Promise.allSettled(works);
  const errors = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  if (errors.length > 0)
    throw errors.find((error) => (error as { code?: string }).code !== ABORTED) ?? errors[0];
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value) as unknown as T;
}
