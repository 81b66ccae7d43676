/**
 * Two apis and two workers under traffic of every kind, while processes and servers are killed,
 * frozen and cut off. Then checks the promises of docs/reliability.md. The same seed makes the same
 * troubles.
 *
 *   npm run soak                              10 minutes
 *   npm run soak -- --minutes 60 --seed 7
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrateAt, Product, startRedis } from '../product.mjs';
import { Cast } from './cast.mjs';
import { watchGrowth } from './growth.mjs';
import { patientSql, startDatabase } from './servers.mjs';
import { SETTINGS, startTraffic } from './traffic.mjs';
import { randomOf, trouble } from './trouble.mjs';

export const PROMISE = 'nothing lost, nothing doubled, nothing pending';

/** @param {import('../run.mjs').Session} session */
export async function run({ args, stop, say, later }) {
  const { values } = parseArgs({
    args,
    options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
  });
  const logs = await mkdtemp(join(tmpdir(), 'tieline-soak-logs-'));
  const redis = await startRedis();
  later(() => redis?.stop());
  const database = await startDatabase();
  migrateAt(database.firstUrl);
  const product = await Product.create({ redisUrl: redis?.url, postgres: database });
  later(() => product.close());
  Object.assign(product.env, SETTINGS);
  const sql = patientSql(database.directUrl);
  later(() => sql.end());
  const cast = new Cast(product, logs);
  later(() => cast.stop());
  await cast.start();
  const traffic = await startTraffic({ cast, sql });
  later(() => traffic.stop());
  const growth = watchGrowth(cast, sql);
  later(() => growth.stop());
  say(`seed ${values.seed}, ${values.minutes} min, ${redis ? 'with' : 'without'} Redis; logs: ${logs}`);
  say('troubles, then the wait until everything is delivered, then the account');
  const random = randomOf(Number(values.seed));
  const counts = await trouble({ cast, database, redis }, random, Number(values.minutes) * 60_000, stop, say);
  // Ctrl-C may have stopped the programs too, so there is nothing left to check.
  if (stop.aborted) return [];
  say('the troubles are over: waiting until everything is delivered');
  await cast.settled();
  growth.stop();
  const { line, faults } = growth.findings();
  const struck = Object.entries(counts).map(([name, count]) => `${name}: ${count}`);
  console.log(`\n  ${struck.join(', ')}\n${line}`);
  return traffic.account(faults);
}
