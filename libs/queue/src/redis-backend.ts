import { createRedisBackend, Queue as BullQueue } from 'bullmq';
import { Redis } from 'ioredis';
import type { RedisOptions } from 'ioredis';
import { QUEUE_NAME, QUEUE_OPTIONS, ready, workerOptions } from './bull-backend.js';
import type { BullBackend, OpenQueue, OpenWorker, Processor } from './bull-backend.js';
import { AbandonableWorker, RunTracker } from './run-tracker.js';

const RECONNECT = {
  connectTimeout: 2_000,
  // A connection that is gone already must not hold up the end of the process.
  disconnectTimeout: 200,
  retryStrategy: (attempt: number) => Math.min(attempt * 100, 1_000),
} satisfies RedisOptions;

/** A request must not wait for Redis: no queue of commands while it is away, no second try, an answer within a second. */
const PRODUCER: RedisOptions = {
  ...RECONNECT,
  connectionName: 'tieline-queue',
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout: 1_000,
};

/** A worker waits for Redis as long as it takes. */
const CONSUMER: RedisOptions = { ...RECONNECT, connectionName: 'tieline-worker', maxRetriesPerRequest: null };

/** BullMQ on Redis. `failed` hears of lost connections and of a server that may evict jobs. */
export function redisBackend(redisUrl: string, failed: (error: Error) => void): BullBackend {
  return {
    openQueue: async (): Promise<OpenQueue> => {
      const redis = await connect(redisUrl, PRODUCER, failed);
      const queue = new BullQueue(QUEUE_NAME, { ...QUEUE_OPTIONS, connection: redis }, createRedisBackend);
      queue.on('error', failed);
      await checkEviction(redis).catch(failed);
      const close = async (): Promise<void> => {
        await queue.close().catch(() => undefined);
        redis.disconnect();
      };
      return ready({ queue, close }, queue);
    },
    openWorker: async (processor: Processor, concurrency: number): Promise<OpenWorker> => {
      const redis = await connect(redisUrl, CONSUMER, failed);
      const runs = new RunTracker(processor);
      const worker = new AbandonableWorker(
        QUEUE_NAME,
        runs.process,
        { ...workerOptions(concurrency), connection: redis },
        createRedisBackend,
      );
      worker.on('error', failed);
      const close = async (): Promise<void> => {
        await runs.close(worker);
        redis.disconnect();
      };
      const opened = await ready({ worker, close }, worker);
      worker.run().catch(failed);
      return opened;
    },
  };
}

async function connect(
  redisUrl: string,
  options: RedisOptions,
  failed: (error: Error) => void,
): Promise<Redis> {
  const redis = new Redis(redisUrl, { ...options, lazyConnect: true });
  redis.on('error', failed);
  try {
    await redis.connect();
    return redis;
  } catch (error) {
    redis.disconnect();
    throw error;
  }
}

/**
 * A Redis that evicts keys loses wake-ups, timers and counters. Nothing durable is in it, so the start goes on, but the
 * operator is told.
 */
async function checkEviction(redis: Redis): Promise<void> {
  const policy = /^maxmemory_policy:(\S+)/m.exec(await redis.info('memory'))?.[1];
  if (policy !== undefined && policy !== 'noeviction') {
    throw new Error(
      `Redis has maxmemory-policy ${policy}: set it to noeviction, or wake-ups and rate limits get lost when its memory is full`,
    );
  }
}
