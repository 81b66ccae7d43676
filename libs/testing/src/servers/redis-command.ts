import { Redis } from 'ioredis';

/**
 * Runs something on a connection of its own to the server at a port of this machine. @throws Error
 * at once when there is none
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
