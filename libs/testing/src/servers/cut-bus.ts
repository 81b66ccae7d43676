import type { Queryable } from '@tieline/platform/database';
import { readRows } from '../statements/read-rows.js';
import { killRedisClients } from './redis-clients.js';

const END_BACKENDS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name LIKE 'tieline-bus%' AND application_name NOT LIKE 'tieline-bus-worker%' AND datname = current_database()`;

/**
 * Cuts the bus connections of processes with streams; they reconnect by themselves. Connections of
 * workers and of other tests on the same servers stay.
 * @throws Error if there was none
 */
export async function cutBus(db: Pick<Queryable, 'query'>, redisUrl: string | undefined): Promise<void> {
  const cut =
    redisUrl === undefined
      ? (await readRows(db, END_BACKENDS)).length
      : await killRedisClients(redisUrl, /^tieline-bus(?!-worker)/);
  if (cut === 0) throw new Error('no process is connected to the bus');
}
