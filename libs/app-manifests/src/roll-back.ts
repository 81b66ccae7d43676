import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';

/** Ends a transaction without a commit. */
class RolledBack<T> extends Error {
  constructor(readonly result: T) {
    super('rolled back');
  }
}

/** Runs work in a transaction, and commits it only if `isKept` says so for the result. */
export async function runUnlessRolledBack<T>(
  db: Db,
  place: { spaceId: string; place: string },
  { work, isKept }: { work: (tx: Tx) => Promise<T>; isKept: (result: T) => boolean },
): Promise<T> {
  try {
    return await runInTx(
      db,
      async (tx) => {
        const result = await work(tx);
        if (!isKept(result)) throw new RolledBack(result);
        return result;
      },
      place,
    );
  } catch (error) {
    if (error instanceof RolledBack) return error.result as T;
    throw error;
  }
}
