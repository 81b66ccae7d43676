import { Redis } from 'ioredis';

/**
 * Runs `run` on a separate connection to the server at a local port. @throws Error immediately if
 * there is none
 */
export async function redisCommand<T>(port: number, run: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(port, '127.0.0.1', {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  });
  redis.on('error', () => undefined);
  await redis.connect();
  try {
    return await run(redis);
  } finally {
    redis.disconnect();
  }
}
