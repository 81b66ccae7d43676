import type pg from 'pg';
import type { EntityManager } from 'typeorm';
import type { Columns, Row } from './columns.js';
import type { WritePlace } from './gate/write-gate.js';
import { toQuery } from './db.js';
import type { Db, Queryable, Sql } from './db.js';
import type { Statement } from './statement.js';
import { managerOn } from './typeorm-adapter.js';

/** An open transaction. Handed as the first argument to everything that writes inside it. */
export class Tx implements Queryable {
  private entityManager: EntityManager | undefined;
  private readonly signals = new Map<string, Set<string>>();

  /** @internal use {@link runInTx} */
  constructor(
    private readonly db: Db,
    private readonly client: pg.PoolClient,
  ) {}

  query<C extends Columns>(statement: Statement<C>, params?: readonly unknown[]): Promise<Row<C>[]>;
  query(sql: string, params?: readonly unknown[]): Promise<unknown[]>;
  /** Runs one statement inside the transaction and answers its rows. */
  async query(sql: Sql, params: readonly unknown[] = []): Promise<unknown[]> {
    return (await this.client.query(toQuery(sql, params))).rows;
  }

  /** TypeORM's entity manager on this transaction's connection. */
  get manager(): EntityManager {
    return (this.entityManager ??= managerOn(this.db.dataSource, this.client));
  }

  /**
   * Notes that there will be work of this kind; told to the process's listeners (`db.onSignal`)
   * once the commit is durable.
   * @param subject the id of what it is about, where listeners need to know
   */
  signal(topic: string, subject?: string): void {
    const subjects = this.signals.get(topic) ?? new Set();
    this.signals.set(topic, subjects);
    if (subject !== undefined) subjects.add(subject);
  }

  /** @internal */
  committed(): void {
    for (const [topic, subjects] of this.signals) this.db.emitSignal(topic, [...subjects]);
  }
}

/**
 * The connection was lost while COMMIT was under way: nobody knows whether the transaction counts.
 * Look for what it would have written before you do it again.
 */
export class CommitUnknown extends Error {
  /** SQLSTATE of "transaction resolution unknown". */
  readonly code = '08007';

  constructor(cause: unknown) {
    super('the connection was lost during COMMIT', { cause });
  }
}

/**
 * Whether a failed statement may have been carried out anyway: the server did not say that it
 * failed.
 */
export function isUndecided(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? '';
  // A refusal of ours, in lower case: the server had no part in it.
  if (/^[a-z_]+$/.test(code)) return false;
  return !/^[0-9A-Z]{5}$/.test(code) || code === 'EPIPE' || /^(08|53|57|58|XX)/.test(code);
}

const RETRYABLE = new Set(['40001', '40P01']);
const MAX_TRIES = 4;

/**
 * The only way for a request to open a transaction (READ COMMITTED). Commits when `work` resolves,
 * rolls back when it rejects, and runs it again when Postgres chose it as a deadlock's or
 * serialization's victim; so `work` has no effect outside `tx`: no HTTP, queue, Redis or storage
 * inside.
 *
 * @param place the space, and what is locked in it: the transaction waits for its turn there before
 * it takes a connection
 * @returns the result of `work`, once the commit is durable
 * @throws CommitUnknown when the connection was lost during COMMIT; TurnMissed when the place had
 * no room for a minute
 */
export function runInTx<T>(db: Db, work: (tx: Tx) => Promise<T>, place: WritePlace): Promise<T> {
  return db.gate.enter(place, () => retried(db, work));
}

/**
 * {@link runInTx} for background duties, which bound their own concurrency and often write for many
 * spaces in one transaction. It passes no gate, so a request must never reach it:
 * `eslint.config.mjs` lists the files that may call it.
 */
export function runInWorkerTx<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return retried(db, work);
}

async function retried<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(db, work);
    } catch (error) {
      if (tries >= MAX_TRIES || !RETRYABLE.has((error as { code?: string }).code ?? '')) throw error;
    }
  }
}

async function attempt<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await db.pool.connect();
  const tx = new Tx(db, client);
  let broken: Error | undefined;
  // A connection that dies between two statements says so by an event; without a listener it would
  // end the process.
  const onBroken = (error: Error): void => {
    broken = error;
  };
  client.on('error', onBroken);
  try {
    // Not awaited on its own: BEGIN and the first statement travel in one round trip. If BEGIN
    // failed, the connection is gone and the first statement fails with it.
    const begun = client.query('BEGIN');
    begun.catch(() => undefined);
    const result = await work(tx);
    await begun;
    await commit(client, tx);
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.off('error', onBroken);
    client.release(broken);
  }
}

async function commit(client: pg.PoolClient, tx: Tx): Promise<void> {
  const end = await client.query('COMMIT').catch((error: unknown) => {
    if (!isUndecided(error)) throw error;
    // There may be work: listeners only look.
    tx.committed();
    throw new CommitUnknown(error);
  });
  // Postgres answers COMMIT of a failed transaction with ROLLBACK: never report such a thing as
  // done.
  if (end.command !== 'COMMIT') throw new Error('the transaction was rolled back by the server');
  tx.committed();
}
