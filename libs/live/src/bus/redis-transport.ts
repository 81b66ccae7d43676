import { Redis } from 'ioredis';
import type { RedisOptions } from 'ioredis';
import { Loop } from '@tieline/platform/background';
import { packFrames, unpackFrame } from './lines.js';
import type { Transport, TransportEvents } from './transport.js';

const HEARTBEAT_MS = 10_000;
const ANSWER_MS = 2_000;

/**
 * Redis pub/sub over two connections of this process. Pub/sub knows no databases: the number of the URL's database is
 * part of the channel, so that installations that share a server do not hear each other.
 */
export class RedisTransport implements Transport {
  private readonly publisher: Redis;
  private readonly subscriber: Redis;
  private readonly channel: string;
  private events: TransportEvents | undefined;
  private readonly heartbeat = new Loop(() => this.beat(), { everyMs: HEARTBEAT_MS });

  constructor(redisUrl: string, name = 'tieline-bus') {
    const options: RedisOptions = {
      lazyConnect: true,
      enableOfflineQueue: false,
      autoResubscribe: false,
      maxRetriesPerRequest: 0,
      connectTimeout: ANSWER_MS,
      disconnectTimeout: 200,
      commandTimeout: ANSWER_MS,
      retryStrategy: (attempt) => Math.min(attempt * 50, 1_000),
    };
    this.publisher = new Redis(redisUrl, { ...options, connectionName: `${name}-publish` });
    this.subscriber = new Redis(redisUrl, { ...options, connectionName: `${name}-subscribe` });
    this.channel = `tieline:bus:${this.publisher.options.db ?? 0}`;
  }

  start(events: TransportEvents): void {
    this.events = events;
    for (const redis of [this.publisher, this.subscriber])
      redis.on('error', (error: Error) => events.failed(error));
    this.publisher.on('ready', () => events.sendable(true)).on('close', () => events.sendable(false));
    this.subscriber.on('ready', () => void this.subscribe()).on('close', () => events.listening(false));
    this.subscriber.on('message', (_channel, frame: string) => events.received(unpackFrame(frame)));
    this.publisher.connect().catch(() => undefined);
    this.subscriber.connect().catch(() => undefined);
    this.heartbeat.start();
  }

  /** Sends lines to every process, this one included. @throws Error while there is no connection */
  async send(lines: string[]): Promise<void> {
    try {
      for (const frame of packFrames(lines, Infinity, () => ''))
        await this.publisher.publish(this.channel, frame);
    } catch (error) {
      // Also when it only was too slow: a fresh connection tells the bus that it may send again.
      if (this.publisher.status === 'ready') this.publisher.disconnect(true);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.heartbeat.stop();
    this.publisher.disconnect();
    this.subscriber.disconnect();
  }

  private async subscribe(): Promise<void> {
    try {
      await this.subscriber.subscribe(this.channel);
      this.events?.listening(true);
    } catch (error) {
      this.events?.failed(error as Error);
      this.subscriber.disconnect(true);
    }
  }

  /** A connection that broke without a word is found out here. */
  private beat(): void {
    for (const redis of [this.publisher, this.subscriber]) {
      if (redis.status === 'ready') redis.ping().catch(() => redis.disconnect(true));
    }
  }
}
