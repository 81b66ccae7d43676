import pg from 'pg';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { applySettings } from '@tieline/background';
import type { SessionSettings } from '@tieline/background';
import type { Columns, Params, ParamValues, Row } from './columns.js';
import { LOOK_UP } from './look-up.js';
import { orderedValues } from './statement.js';
import type { AnyStatement, Statement } from './statement.js';
import { DeadConnectionDetector } from './connections/dead-connection-detector.js';
import { boundCallers } from './gate/caller-gate.js';
import { WriteGate } from './gate/write-gate.js';
import { loadedEntities, poolOf } from './typeorm-adapter.js';

/** Runs one statement, in a pool or a transaction. */
export interface Queryable {
  query<C extends Columns>(statement: Statement<C>, params?: readonly unknown[]): Promise<Row<C>[]>;
  /** Runs SQL without a name, for locks, settings and schema changes. Its rows are untyped. */
  query(sql: string, params?: readonly unknown[]): Promise<unknown[]>;
  query<C extends Columns, P extends Params>(
    statement: Statement<C, P>,
    values: ParamValues<P>,
  ): Promise<Row<C>[]>;

  /** TypeORM's entity manager, for entities. */
  readonly manager: EntityManager;
}

/** Settings of {@link openDb}. */
export interface DbSettings {
  databaseUrl: string;
  /** Maximum number of connections, 24 by default. */
  poolMax?: number;
  /** Shown in pg_stat_activity. */
  applicationName?: string;
}

/** Times in milliseconds. */
const STATEMENT_MS = 30_000;
const SERVER_LIMITS: SessionSettings = {
  statement_timeout: STATEMENT_MS,
  lock_timeout: 10_000,
  // A frozen process loses its locks here as fast as with SHORT_SESSION_TIMEOUTS.
  idle_in_transaction_session_timeout: 6_000,
  // The server notices that this process is gone, even with unsent data.
  tcp_user_timeout: 15_000,
};

/** Maximum number of connections for {@link Db.lookUp}. */
const LOOK_UP_CONNECTIONS = 4;

/** Limits of a statement outside a transaction. */
export interface QueryLimits {
  /**
   * Timeout in milliseconds; then the connection is discarded. By default a little more than the
   * server's own limit.
   */
  timeoutMs?: number;
}

// bigint columns (msg_index, counters, row numbers) stay far below 2^53 and become numbers. Larger
// values stay text, so nothing is rounded.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
});
const [INT4_ARRAY, INT8_ARRAY] = [1007, 1016];
pg.types.setTypeParser(INT8_ARRAY, pg.types.getTypeParser(INT4_ARRAY));

/** Called after a commit with the subjects that its transaction signalled. */
export type SignalListener = (subjects: readonly string[]) => void;

/**
 * The connection pool of this process. `query` runs one statement in its own implicit transaction.
 * Use `runInTx` for several statements that belong together. TypeORM (`manager`) shares the pool.
 */
export class Db implements Queryable {
  private readonly listeners = new Map<string, Set<SignalListener>>();

  /** The pool below TypeORM. Take connections from it only through `runInTx`. */
  readonly pool: pg.Pool;
  /** @internal see {@link runInTx} */
  readonly gate: WriteGate;

  /**
   * @param dataSource initialized @param lookUps see {@link lookUp} @param swallowed watches the
   * connections of both
   */
  constructor(
    readonly dataSource: DataSource,
    private readonly lookUps: pg.Pool,
    private readonly swallowed: DeadConnectionDetector,
  ) {
    this.pool = poolOf(dataSource);
    this.gate = new WriteGate(this.pool.options.max);
    // Errors of idle connections; the pool opens others.
    lookUps.on('error', () => undefined);
    for (const pool of [this.pool, lookUps]) swallowed.follow(pool);
    boundCallers(this.pool);
  }

  /** TypeORM's entity manager outside a transaction: for reads, and for writes of a single row. */
  get manager(): EntityManager {
    return this.dataSource.manager;
  }

  query<C extends Columns>(
    statement: Statement<C>,
    params?: readonly unknown[],
    limits?: QueryLimits,
  ): Promise<Row<C>[]>;
  query(sql: string, params?: readonly unknown[], limits?: QueryLimits): Promise<unknown[]>;
  query<C extends Columns, P extends Params>(
    statement: Statement<C, P>,
    values: ParamValues<P>,
    limits?: QueryLimits,
  ): Promise<Row<C>[]>;
  /** Runs one statement on any free connection and returns its rows. */
  async query(sql: Sql, values: object = [], { timeoutMs }: QueryLimits = {}): Promise<unknown[]> {
    const query = { ...toQuery(sql, values), ...(timeoutMs !== undefined && { query_timeout: timeoutMs }) };
    return (await this.pool.query(query)).rows;
  }

  /**
   * Like {@link query}, on connections reserved for authentication, which work while requests hold
   * all others.
   */
  async lookUp<C extends Columns>(statement: Statement<C>, params: readonly unknown[]): Promise<Row<C>[]> {
    const query = { ...toQuery(statement, params), query_timeout: LOOK_UP.timeoutMs };
    return (await this.lookUps.query<Row<C>>(query)).rows;
  }

  /**
   * Calls `listener` with the signalled subjects after every commit in this process that signalled
   * `topic` (`tx.signal`). The listener must be quick and must not throw.
   * @returns a function that ends the subscription
   */
  onSignal(topic: string, listener: SignalListener): () => void {
    const set = this.listeners.get(topic) ?? new Set();
    this.listeners.set(topic, set.add(listener));
    return () => void set.delete(listener);
  }

  /** @internal */
  emitSignal(topic: string, subjects: readonly string[] = []): void {
    for (const listener of this.listeners.get(topic) ?? []) listener(subjects);
  }

  /** Closes every connection after its current statement. */
  async close(): Promise<void> {
    await this.swallowed.close();
    if (!this.lookUps.ended) await this.lookUps.end();
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }
}

/** Opens the pool. Fails when the server can't be reached. */
export async function openDb({
  databaseUrl,
  poolMax = 24,
  applicationName = 'tieline',
}: DbSettings): Promise<Db> {
  const swallowed = new DeadConnectionDetector(databaseUrl);
  const connections = {
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    // Idle connections survive a quiet period: a burst would have to open all of them concurrently.
    idleTimeoutMillis: 300_000,
    onConnect: async (client: pg.ClientBase) => {
      await applySettings(client, SERVER_LIMITS);
      await swallowed.admit(client);
    },
  };
  const dataSource = new DataSource({
    type: 'postgres',
    url: databaseUrl,
    entities: loadedEntities(),
    synchronize: false,
    logging: false,
    applicationName,
    extra: {
      ...connections,
      max: poolMax,
      // Sends BEGIN and the first statement together: see runInTx.
      pipeline: true,
      // A connection that does not answer is discarded. The server's own limit comes first.
      query_timeout: STATEMENT_MS + 3_000,
    },
  });
  await dataSource.initialize().catch(async (error: unknown) => {
    await swallowed.close();
    throw error;
  });
  const lookUps = new pg.Pool({
    ...connections,
    connectionString: databaseUrl,
    max: LOOK_UP_CONNECTIONS,
    application_name: `${applicationName}-tokens`,
  });
  return new Db(dataSource, lookUps, swallowed);
}

/** @internal */
export type Sql = string | AnyStatement;

/**
 * @internal
 * @param values see {@link orderedValues}
 */
export function toQuery(sql: Sql, values: object): pg.QueryConfig {
  return typeof sql === 'string'
    ? { text: sql, values: [...(values as readonly unknown[])] }
    : { name: sql.name, text: sql.preparedText, values: orderedValues(sql, values) };
}
