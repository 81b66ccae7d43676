import { Loop } from '@tieline/background';
import { openAnyNode, readAddress } from '@tieline/redis';
import type { Redis, RedisOptions } from 'ioredis';
import { unpackFrame } from './lines.js';
import { EVERYBODY, packByTopic } from './topics.js';
import type { Transport, TransportEvents } from './transport.js';

const HEARTBEAT_MS = 10_000;
const ANSWER_MS = 2_000;

/**
 * Redis pub/sub over two connections of this process, in a cluster each to any of its nodes.
 * Pub/sub knows no databases: the number of the URL's database is part of the channel, so that
 * installations that share a server do not hear each other.
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

  /** Sends lines to every process, this one included. @throws Error while there is no connection */
  async send(lines: string[]): Promise<void> {
    try {
      const frames = packByTopic(lines, Infinity, () => '');
      // One after the other on one connection: their order is kept.
      await Promise.all(
        frames.map(({ topic, frame }) => this.publisher.publish(this.channelOf(topic), frame)),
      );
    } catch (error) {
      // Also when it only was too slow: a fresh connection tells the bus that it may send again.
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
    const heard = new Set<string>();
    try {
      for (let next = this.topicsBut(heard); next.length > 0; next = this.topicsBut(heard)) {
        await this.subscriber.subscribe(...next.map((topic) => this.channelOf(topic)));
        for (const topic of next) heard.add(topic);
      }
      // In the turn that found no further topic: whoever comes now asks for it on this connection.
      this.hearing = true;
      this.events?.listening(true);
    } catch (error) {
      this.events?.failed(error as Error);
      this.giveUp();
    }
  }

  private topicsBut(heard: ReadonlySet<string>): string[] {
    return [EVERYBODY, ...(this.events?.topics() ?? [])].filter((topic) => !heard.has(topic));
  }

  private stopHearing(): void {
    this.hearing = false;
    this.events?.listening(false);
  }

  /** A fresh connection listens to everything that is wanted. */
  private giveUp(): void {
    this.subscriber.disconnect(true);
  }

  private channelOf(topic: string): string {
    return topic === EVERYBODY ? this.channel : `${this.channel}:${topic}`;
  }

  /**
   * A connection that broke without a word is found out here, and a node that its cluster has lost.
   */
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
 * As the node of a connection sees it. It is asked over another one: a connection that listens
 * takes no such command.
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
