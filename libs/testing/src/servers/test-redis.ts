import { Redis } from 'ioredis';
import { redisClients } from './redis-clients.js';

/** Databases 1 to 15 of a default Redis. Database 0 records their owners. */
const DATABASES = Array.from({ length: 15 }, (_, index) => index + 1);
const CLAIM_SECONDS = 3600;
/** Replaces an owner that has exited. Of concurrent callers one succeeds. */
const TAKE_OVER =
  "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3]) return 1";

/**
 * Returns the URL of an empty Redis database that no other test process uses, or `undefined` if
 * `REDIS_URL` is unset and everything runs on Postgres. The test files of one process run one after
 * the other and share it. While a system is connected to it, the next call returns another one,
 * because workers on one database take each other's jobs: start systems one after the other.
 * Pub/sub ignores databases, so channels need unique names.
 */
export async function testRedisUrl(): Promise<string | undefined> {
  const serverUrl = process.env.REDIS_URL;
  if (!serverUrl) return undefined;
  const redis = new Redis(serverUrl, { maxRetriesPerRequest: 2, lazyConnect: true });
  await redis.connect();
  try {
    const database = await claim(redis);
    await redis.select(database);
    await redis.flushdb();
    const url = new URL(serverUrl);
    url.pathname = `/${database}`;
    return url.href;
  } finally {
    await redis.quit();
  }
}

async function claim(redis: Redis): Promise<number> {
  await redis.select(0);
  const connected = new Set((await redisClients(redis)).map((client) => client.get('db')));
  for (const database of DATABASES) {
    if (connected.has(String(database))) continue;
    const key = `tieline-tests:database:${database}`;
    const owner = await redis.get(key);
    if (owner !== null && owner !== String(process.pid) && isAlive(Number(owner))) continue;
    const isOurs =
      owner === null
        ? (await redis.set(key, process.pid, 'EX', CLAIM_SECONDS, 'NX')) !== null
        : (await redis.eval(TAKE_OVER, 1, key, owner, process.pid, CLAIM_SECONDS)) === 1;
    if (isOurs) return database;
  }
  throw new Error(
    'all 15 Redis databases are in use by other test runs, or by systems that this run did not stop',
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
