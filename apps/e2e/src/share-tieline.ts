import { createTestDatabase, publicName, startProcess, testRedisUrl } from '@tieline/testing';
import type { AppProcess } from '@tieline/testing';
import { Tieline } from './tieline.js';

/** Settings of the shared product: high limits, every event, and names for receivers with TLS. */
const SETTINGS: Record<string, string> = {
  ...Object.fromEntries(
    [
      ...['AGENT_RUN_CREATE', 'AGENT_RUN_UPDATE', 'BOT_MESSAGES', 'BOT_WRITES'],
      ...['DM', 'TASK_WRITES', 'USER_WRITES'],
    ].map((name) => [`RATE_${name}_PER_SECOND`, '1000000']),
  ),
  RATE_OTHER_WRITES_PER_MINUTE: '1000000',
  RATE_POLL_PER_SECOND: '1000',
  DELIVERY_BACKOFF_INITIAL_MS: '500',
  EMIT_MEMBER_EVENTS: 'true',
  OAUTH_DYNAMIC_REGISTRATION: 'true',
};
/**
 * How long the product waits for the next file. In a minute it takes as much processor time as
 * another start: a twelfth of a core.
 */
const KEPT_MS = 60_000;

interface Product {
  env: Record<string, string | undefined>;
  databaseUrl: string;
  api: AppProcess;
  worker: AppProcess;
  end: () => Promise<void>;
}

/** The product that test files of this process share, one after the other. */
const shared: { product?: Promise<Product>; timer?: NodeJS.Timeout } = {};

/**
 * Returns an api with a worker that earlier test files of this process may have used. For files
 * that create their own spaces, need no settings, and leave the processes running. Close `tieline`
 * at the end. `npm test` runs these files close together (tools/jest/test-plan.mjs).
 */
export async function shareTieline(): Promise<{ tieline: Tieline; api: AppProcess; worker: AppProcess }> {
  clearTimeout(shared.timer);
  const { env, databaseUrl, api, worker } = await (shared.product ??= start());
  const release = async (): Promise<void> => {
    shared.timer = setTimeout(() => void end(), KEPT_MS).unref();
  };
  return { tieline: new Tieline(databaseUrl, env, release), api, worker };
}

async function start(): Promise<Product> {
  const [database, name] = await Promise.all([createTestDatabase(), publicName()]);
  const env = { DATABASE_URL: database.url, REDIS_URL: await testRedisUrl(), ...SETTINGS, ...name.env };
  const [api, worker] = await Promise.all([startProcess('api', env), startProcess('worker', env)]);
  const processes = [api, worker];
  // The test process ends with its last file, not with the product.
  for (const each of processes) each.unref();
  process.once('beforeExit', () => void end());
  return {
    ...{ env, databaseUrl: database.url, api, worker },
    end: async () => {
      await Promise.all(processes.map((each) => each.kill('SIGKILL')));
      await Promise.all([database.drop(), name.close()]);
    },
  };
}

async function end(): Promise<void> {
  const { product } = shared;
  delete shared.product;
  // The server of the database may have stopped before this process.
  await product?.then(({ end: stop }) => stop()).catch(() => undefined);
}
