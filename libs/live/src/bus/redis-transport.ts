import { Loop } from '@tieline/background';
import { openAnyNode, readAddress } from '@tieline/redis';
import type { Redis, RedisOptions } from 'ioredis';
import { unpackFrame } from './lines.js';
import { SHARED_TOPIC, packByTopic } from './topics.js';
import type { Transport, TransportEvents } from './transport.js';

const HEARTBEAT_MS = 10_000;
const ANSWER_MS = 2_000;

/**
 * Redis pub/sub over two connections, in a cluster each to any node. Pub/sub ignores databases, so
 * the database number of the URL is part of the channel, and installations that share a server stay
 * separate.
 */
export class RedisTransport implements Transport {
  private readonly publisher: Redis;
  private readonly subscriber: Redis;
  private readonly channel: string;
  private readonly inCluster: boolean;
  private events: TransportEvents | undefined;
  private hearing = false;
  private readonly heartbeat: Loop;

  constructor(redisUrl: string, name = 'tieline-bus', heartbeatMs = HEARTBEAT_MS) {
    this.heartbeat = new Loop(() => this.beat(), { everyMs: heartbeatMs });
    const options: RedisOptions = {
      lazyConnect: true,
      enableOfflineQueue: false,
      autoResubscribe: false,
      maxRetriesPerRequest: 0,
      connectTimeout: ANSWER_MS,
      commandTimeout: ANSWER_MS,
      retryStrategy: (attempt) => Math.min(attempt * 50, 1_000),
    };
    this.publisher = openAnyNode(redisUrl, { ...options, connectionName: `${name}-publish` });
    this.subscriber = openAnyNode(redisUrl, { ...options, connectionName: `${name}-subscribe` });
    const { cluster, database } = readAddress(redisUrl);
    this.inCluster = cluster;
    this.channel = `tieline:bus:${database}`;
  }

  start(events: TransportEvents): void {
    this.events = events;
    for (const redis of [this.publisher, this.subscriber])
      redis.on('error', (error: Error) => events.failed(error));
    this.publisher.on('ready', () => events.sendable(true)).on('close', () => events.sendable(false));
    this.subscriber.on('ready', () => void this.subscribe()).on('close', () => this.stopHearing());
    this.subscriber.on('message', (_channel, frame: string) => events.received(unpackFrame(frame)));
    this.publisher.connect().catch(() => undefined);
    this.subscriber.connect().catch(() => undefined);
    this.heartbeat.start();
  }

  /**
   * Sends lines to every process, including this one.
   *
   * @throws Error without a connection
   */
  async send(lines: string[]): Promise<void> {
    try {
      const frames = packByTopic(lines, Infinity, () => '');
      // Sequential commands on one connection keep their order.
      await Promise.all(
        frames.map(({ topic, frame }) => this.publisher.publish(this.channelOf(topic), frame)),
      );
    } catch (error) {
      // Reconnects even if Redis was only slow, because a new connection tells the bus that it can
      // send again.
      if (this.publisher.status === 'ready') this.publisher.disconnect(true);
      throw error;
    }
  }

  async listen(topic: string): Promise<void> {
    if (this.hearing) await this.subscriber.subscribe(this.channelOf(topic)).catch(() => this.giveUp());
  }

  leave(topic: string): void {
    if (this.hearing) this.subscriber.unsubscribe(this.channelOf(topic)).catch(() => this.giveUp());
  }

  async close(): Promise<void> {
    await this.heartbeat.stop();
    this.publisher.disconnect();
    this.subscriber.disconnect();
  }

  private async subscribe(): Promise<void> {
    const subscribed = new Set<string>();
    try {
      for (let next = this.topicsBut(subscribed); next.length > 0; next = this.topicsBut(subscribed)) {
        await this.subscriber.subscribe(...next.map((topic) => this.channelOf(topic)));
        for (const topic of next) subscribed.add(topic);
      }
      // In the same turn that found no further topic, so that later subscribers use this
      // connection.
      this.hearing = true;
      this.events?.listening(true);
    } catch (error) {
      this.events?.failed(error as Error);
      this.giveUp();
    }
  }

  private topicsBut(subscribed: ReadonlySet<string>): string[] {
    return [SHARED_TOPIC, ...(this.events?.topics() ?? [])].filter((topic) => !subscribed.has(topic));
  }

  private stopHearing(): void {
    this.hearing = false;
    this.events?.listening(false);
  }

  /** A fresh connection subscribes to all current topics. */
  private giveUp(): void {
    this.subscriber.disconnect(true);
  }

  private channelOf(topic: string): string {
    return topic === SHARED_TOPIC ? this.channel : `${this.channel}:${topic}`;
  }

  /** Detects connections that died silently, and nodes lost by their cluster. */
  private beat(): void {
    for (const redis of [this.publisher, this.subscriber]) {
      if (redis.status === 'ready') this.checkNode(redis).catch(() => redis.disconnect(true));
    }
  }

  private async checkNode(redis: Redis): Promise<void> {
    await redis.ping();
    if (this.inCluster && !(await stateOfCluster(redis)).includes('cluster_state:ok'))
      throw new Error('the node is cut off');
  }
}

/**
 * The cluster state as seen by the node of a connection. Queried over another connection, because a
 * subscribed one accepts no such command.
 */
async function stateOfCluster(redis: Redis): Promise<string> {
  const asking = redis.duplicate({ lazyConnect: true, retryStrategy: () => null });
  asking.on('error', () => undefined);
  try {
    await asking.connect();
    return String(await asking.cluster('INFO'));
  } finally {
    asking.disconnect();
  }
}
