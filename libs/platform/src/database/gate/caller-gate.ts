import { currentCaller } from '@tieline/background';
import type pg from 'pg';
import { Turns } from './turns.js';

/** A caller that waits longer gets 503. */
const PATIENCE_MS = 10_000;
/** One caller has at most this part of the pool. */
const PART = 3;

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, release: unknown) => void;

/**
 * Bounds the connections of one caller to a third of the pool, whatever they are for. Further
 * requests of that caller wait in line without a connection. The caller is the one that
 * `nameCaller` named: background work is not bounded here.
 *
 * A request must not ask for a second connection while it holds one: callers that all do so would
 * wait for each other.
 * @param pool its `connect`, which its `query` and TypeORM use as well, is replaced
 */
export function boundCallers(pool: pg.Pool, patienceMs = PATIENCE_MS): void {
  const turns = new Turns(Math.max(1, Math.floor(pool.options.max / PART)), patienceMs);
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  const inTurn = async (caller: string): Promise<pg.PoolClient> => {
    const pass = await turns.hold(caller);
    try {
      return passingOn(await connect(), pass);
    } catch (error) {
      pass();
      throw error;
    }
  };
  pool.connect = ((connected?: Connected) => {
    const caller = currentCaller();
    const client = caller === undefined ? connect() : inTurn(caller);
    if (!connected) return client;
    client.then(
      (one) => connected(undefined, one, one.release),
      (error: Error) => connected(error, undefined, () => undefined),
    );
    return undefined;
  }) as pg.Pool['connect'];
}

/** The pool gives each checkout a `release` of its own. */
function passingOn(client: pg.PoolClient, pass: () => void): pg.PoolClient {
  const { release } = client;
  client.release = (error) => {
    pass();
    release.call(client, error);
  };
  return client;
}
