import { currentCaller, KeyedSemaphore } from '@tieline/background';
import type pg from 'pg';

/** A caller that waits longer gets 503. */
const PATIENCE_MS = 10_000;
/** A caller may hold one connection in this many. */
const PART = 3;

/** Returns how many connections of a pool of this size a caller may hold. */
export const callerShare = (poolMax: number): number => Math.max(1, Math.floor(poolMax / PART));

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: unknown,
) => void;

/**
 * Limits each caller to a third of the pool, whatever the connections are for. Further requests of
 * that caller queue without a connection. `nameCaller` sets the caller; background work is not
 * limited here.
 *
 * A request must not request a second connection while it holds one: concurrent callers that do so
 * would deadlock.
 * @param pool its `connect` is replaced, which its `query` and TypeORM use too
 */
export function boundCallers(pool: pg.Pool, patienceMs = PATIENCE_MS): void {
  const connections = new KeyedSemaphore(callerShare(pool.options.max), patienceMs);
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  const inTurn = async (caller: string): Promise<pg.PoolClient> => {
    const release = await connections.acquire(caller);
    try {
      return withPermit(await connect(), release);
    } catch (error) {
      release();
      throw error;
    }
  };
  pool.connect = ((callback?: ConnectCallback) => {
    const caller = currentCaller();
    const client = caller === undefined ? connect() : inTurn(caller);
    if (!callback) return client;
    client.then(
      (one) => callback(undefined, one, one.release),
      (error: Error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }) as pg.Pool['connect'];
}

/** The pool assigns a new `release` to the client at each checkout. */
function withPermit(client: pg.PoolClient, releasePermit: () => void): pg.PoolClient {
  const { release } = client;
  client.release = (error) => {
    releasePermit();
    release.call(client, error);
  };
  return client;
}
