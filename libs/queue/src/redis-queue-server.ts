import { createRedisBackend } from 'bullmq';
import type { IQueueBackend, QueueBaseOptions } from 'bullmq';
import { openRedis } from '@tieline/redis';
import type { RedisClient } from '@tieline/redis';
import type { RedisOptions } from 'ioredis';
import { PREFIX, QueueServer, withoutErrors } from './queue-server.js';
import type { BackendUse } from './queue-server.js';

const RECONNECT = {
  connectTimeout: 2_000,
  retryStrategy: (attempt: number) => Math.min(attempt * 100, 1_000),
} satisfies RedisOptions;

/**
 * A request must not wait for Redis: no command queue while it is down, no retries, an answer
 * within a second.
 */
const PRODUCER: RedisOptions = {
  ...RECONNECT,
  connectionName: 'tieline-queue',
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout: 1_000,
};

/** A worker waits for Redis without limit. */
const WORKER: RedisOptions = { ...RECONNECT, connectionName: 'tieline-worker', maxRetriesPerRequest: null };

/**
 * BullMQ on Redis: one connection for all queues of the process, one for all workers, and one more
 * for each worker on which it waits for jobs. They reconnect automatically, also after a failed
 * first attempt.
 */
export class RedisQueueServer extends QueueServer {
  override readonly reached: Promise<true | undefined>;
  private readonly closing = new AbortController();
  private readonly producers: RedisClient;
  private workers: RedisClient | undefined;

  /** @param failed called for lost connections and for a server that may evict jobs */
  constructor(
    private readonly redisUrl: string,
    private readonly failed: (error: Error) => void,
  ) {
    super();
    this.producers = this.connect(PRODUCER);
    this.reached = new Promise((resolve) => {
      this.producers.once('ready', () => resolve(true));
      this.closing.signal.addEventListener('abort', () => resolve(undefined));
    });
    this.producers.once('ready', () => void this.checkEviction().catch(failed));
  }

  override backend(queue: string, options: QueueBaseOptions, use: BackendUse): IQueueBackend {
    if (use === 'worker') {
      this.workers ??= this.connect(WORKER);
      const connection = this.workers;
      return withoutErrors(
        createRedisBackend(queue, { ...options, connection }, { withBlockingConnection: true }),
      );
    }
    // Redis is not queried before the first job: BullMQ never recovers from a failed first contact.
    const connection = { connection: this.producers, skipWaitingForReady: true, skipVersionCheck: true };
    return withoutErrors(createRedisBackend(queue, { ...options, ...connection }));
  }

  override async check(): Promise<void> {
    // In a cluster, the node that has the queues.
    await this.producers.exists(`${PREFIX}:check`);
  }

  override close(): Promise<void> {
    this.closing.abort();
    for (const redis of [this.producers, this.workers]) redis?.disconnect();
    return Promise.resolve();
  }

  private connect(options: RedisOptions): RedisClient {
    const redis = openRedis(this.redisUrl, options);
    redis.on('error', this.failed);
    return redis;
  }

  /**
   * A Redis that evicts keys loses wake-ups, timers and counters. It stores nothing durable, so the
   * start continues with a warning.
   */
  private async checkEviction(): Promise<void> {
    const policy = /^maxmemory_policy:(\S+)/m.exec(await this.producers.info('memory'))?.[1];
    if (policy !== undefined && policy !== 'noeviction') {
      throw new Error(
        `Redis has maxmemory-policy ${policy}: set it to noeviction, or wake-ups and rate limits get lost when its memory is full`,
      );
    }
  }
}
