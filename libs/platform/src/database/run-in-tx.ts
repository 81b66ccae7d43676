import type { Socket } from 'node:net';
import type pg from 'pg';
import type { EntityManager } from 'typeorm';
import type { Columns, Params, ParamValues, Row } from './columns.js';
import type { WritePlace } from './gate/write-gate.js';
import { toQuery } from './db.js';
import type { Db, Queryable, Sql } from './db.js';
import type { Statement } from './statement.js';
import { managerOn } from './typeorm-adapter.js';

/** An open transaction. Pass it as the first argument to everything that writes inside it. */
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
  query<C extends Columns, P extends Params>(
    statement: Statement<C, P>,
    values: ParamValues<P>,
  ): Promise<Row<C>[]>;
  /** Runs one statement inside the transaction and returns its rows. */
  async query(sql: Sql, values: object = []): Promise<unknown[]> {
    sendTogether(this.client);
    return (await this.client.query(toQuery(sql, values))).rows;
  }

  /** TypeORM's entity manager on this transaction's connection. */
  get manager(): EntityManager {
    return (this.entityManager ??= managerOn(this.db.dataSource, this.client));
  }

  /**
   * Notifies the listeners of this process (`db.onSignal`) once the commit is durable.
   * @param subject the id of the affected object, if listeners need it.
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
 * The connection was lost during COMMIT: whether the transaction was committed is unknown. Look for
 * its writes before you repeat it.
 */
export class CommitUnknown extends Error {
  /** SQLSTATE of "transaction resolution unknown". */
  readonly code = '08007';

  constructor(cause: unknown) {
    super('the connection was lost during COMMIT', { cause });
  }
}

/**
 * Returns whether a failed statement may have been executed: the server did not report a failure.
 */
export function isUndecided(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? '';
  // An error code of ours in lower case: it does not come from the server.
  if (/^[a-z_]+$/.test(code)) return false;
  return !/^[0-9A-Z]{5}$/.test(code) || code === 'EPIPE' || /^(08|53|57|58|XX)/.test(code);
}

const RETRYABLE = new Set(['40001', '40P01']);
const MAX_TRIES = 4;

/**
 * Runs `work` in a READ COMMITTED transaction and commits when it resolves. This is the only way
 * for a request to open a transaction.
 *
 * Postgres may abort a transaction as the victim of a deadlock or serialization failure; `work` is
 * then called again. It must therefore have no effects outside `tx`: no HTTP, queue, Redis or
 * storage.
 *
 * @param place the contended row; callers queue for it before they take a connection.
 * @returns the result of `work`, after the commit is durable.
 * @throws CommitUnknown if the connection was lost during COMMIT.
 * @throws TurnMissed after a minute in the queue.
 */
export function runInTx<T>(db: Db, work: (tx: Tx) => Promise<T>, place: WritePlace): Promise<T> {
  return db.gate.enter(place, () => retried(db, work));
}

/**
 * Runs a single statement in the queue of {@link runInTx}, without BEGIN and COMMIT. It is not
 * repeated after a failure.
 */
export function runInTurn<T>(db: Db, statement: () => Promise<T>, place: WritePlace): Promise<T> {
  return db.gate.enter(place, statement);
}

/**
 * Like {@link runInTx}, for background jobs, which limit their own concurrency and often write for
 * several spaces in one transaction. It does not queue, so requests must never reach it:
 * `tools/lint/rules/restricted-syntax.mjs` lists the files that may call it.
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
  // A connection that breaks between two statements emits an event. Without a listener it would end
  // the process.
  const onBroken = (error: Error): void => {
    broken = error;
  };
  client.on('error', onBroken);
  try {
    // Not awaited separately: BEGIN and the first statement share a round trip. If BEGIN failed,
    // the connection is gone and the first statement fails too.
    sendTogether(client);
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

/** Sends the statements that follow in this turn of the event loop with one write. */
function sendTogether(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

async function commit(client: pg.PoolClient, tx: Tx): Promise<void> {
  const end = await client.query('COMMIT').catch((error: unknown) => {
    if (!isUndecided(error)) throw error;
    // Listeners only check for work, so a spurious call does no harm.
    tx.committed();
    throw new CommitUnknown(error);
  });
  // Postgres answers COMMIT of a failed transaction with ROLLBACK, which must not count as a
  // commit.
  if (end.command !== 'COMMIT') throw new Error('the transaction was rolled back by the server');
  tx.committed();
}
