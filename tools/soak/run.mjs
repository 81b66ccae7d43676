// `npm run soak`: two apis and two workers under traffic of every kind, and what may happen to them
// and to their servers.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateAt, Product } from '../bench/product.mjs';
import { build } from '../build.mjs';
import { Cast } from './cast.mjs';
import { watchGrowth } from './growth.mjs';
import { patientSql, startDatabase, startRedis } from './servers.mjs';
import { SETTINGS, startTraffic } from './traffic.mjs';
import { randomOf, trouble } from './trouble.mjs';

/**
 * @param {{ minutes: number, seed: number, stop: AbortSignal }} options @returns whether everything
 * was as promised
 */
export async function soak(options) {
  await build();
  const undo = [];
  try {
    return await underTrouble({ ...options, undo });
  } finally {
    for (const step of undo.reverse()) await Promise.resolve(step()).catch((error) => console.error(error));
  }
}

async function underTrouble({ minutes, seed, stop, undo }) {
  const logs = await mkdtemp(join(tmpdir(), 'tieline-soak-logs-'));
  const redis = await startRedis();
  undo.push(() => redis?.stop());
  const database = await startDatabase();
  migrateAt(database.firstUrl);
  const product = await Product.create({ redisUrl: redis?.url, postgres: database });
  undo.push(() => product.close());
  Object.assign(product.env, SETTINGS);
  const sql = patientSql(database.directUrl);
  undo.push(() => sql.end());
  const cast = new Cast(product, logs);
  undo.push(() => cast.stop());
  await cast.start();
  const traffic = await startTraffic({ cast, sql });
  undo.push(() => traffic.stop());
  const growth = watchGrowth(cast, sql);
  undo.push(() => growth.stop());
  console.log(`seed ${seed}, ${minutes} min, ${redis ? 'with' : 'without'} Redis; logs: ${logs}`);
  const parts = { cast, database, redis };
  console.log('troubles, then the wait until everything is delivered, then the account');
  const counts = await trouble(parts, randomOf(seed), minutes * 60_000, stop);
  // Ctrl-C may have stopped the programs too, so there is nothing left to check.
  if (stop.aborted) return false;
  console.log('the troubles are over: waiting until everything is delivered');
  await cast.settled();
  growth.stop();
  const { line, faults } = growth.findings();
  console.log(
    `\n  ${Object.entries(counts)
      .map(([name, count]) => `${name}: ${count}`)
      .join(', ')}\n${line}`,
  );
  return traffic.account(faults);
}
