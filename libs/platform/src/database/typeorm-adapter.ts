import type pg from 'pg';
import { getMetadataArgsStorage } from 'typeorm';
import type { DataSource, EntityManager } from 'typeorm';

// TypeORM neither hands out its pool nor works on a connection that somebody else holds, and a
// second pool would double the connections of every process. So this file, and no other, touches
// private fields of it. Its test fails when an upgrade renames them.

/** The pool below TypeORM. */
export function poolOf(dataSource: DataSource): pg.Pool {
  const { master } = dataSource.driver as unknown as { master?: pg.Pool };
  if (typeof master?.connect !== 'function')
    throw new Error('this version of TypeORM keeps its pool elsewhere');
  return master;
}

/**
 * An entity manager on a connection that already is in a transaction; a transaction of its own
 * becomes a savepoint.
 */
export function managerOn(dataSource: DataSource, client: pg.PoolClient): EntityManager {
  const runner = dataSource.createQueryRunner();
  Object.assign(runner, { databaseConnection: client, isTransactionActive: true, transactionDepth: 1 });
  return runner.manager;
}

/**
 * Every class with `@Entity` that this process has loaded: whoever can name an entity has loaded
 * it.
 */
export function loadedEntities(): Function[] {
  return getMetadataArgsStorage()
    .tables.map(({ target }) => target)
    .filter((target) => typeof target === 'function');
}
