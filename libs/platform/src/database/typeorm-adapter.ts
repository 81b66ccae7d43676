import type pg from 'pg';
import { getMetadataArgsStorage } from 'typeorm';
import type { DataSource, EntityManager } from 'typeorm';

// TypeORM neither exposes its pool nor works on an existing connection, and a second pool would
// double the connections of every process. Only this file uses its private fields. A test fails
// when an upgrade renames them.

/** The pool below TypeORM. */
export function poolOf(dataSource: DataSource): pg.Pool {
  const { master } = dataSource.driver as unknown as { master?: pg.Pool };
  if (typeof master?.connect !== 'function')
    throw new Error('this version of TypeORM keeps its pool elsewhere');
  return master;
}

/**
 * Returns an entity manager on a connection that is already in a transaction. Its own transactions
 * become savepoints.
 */
export function managerOn(dataSource: DataSource, client: pg.PoolClient): EntityManager {
  const runner = dataSource.createQueryRunner();
  Object.assign(runner, { databaseConnection: client, isTransactionActive: true, transactionDepth: 1 });
  return runner.manager;
}

/** Returns every class with `@Entity` that this process has loaded. */
export function loadedEntities(): Function[] {
  return getMetadataArgsStorage()
    .tables.map(({ target }) => target)
    .filter((target) => typeof target === 'function');
}
