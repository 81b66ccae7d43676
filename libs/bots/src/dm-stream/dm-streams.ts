import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Bus, LiveSettings, SseStreams } from '@tieline/live';
import { Loop } from '@tieline/background';
import { Db } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { Metrics } from '@tieline/platform/observability';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DM_CHANNEL } from './announce-dms.js';
import type { DmAnnouncement } from './announce-dms.js';
import { DmFeed } from './dm-feed.js';
import type { DmFeedOptions } from './dm-feed.js';
import { DmInbox } from './dm-inbox.queries.js';
import type { InboxOwner } from './dm-inbox.queries.js';
import { DmPositions } from './dm-positions.js';

/**
 * Number of ticks within which every inbox with a stream is checked once, in case an announcement
 * was lost.
 */
const SWEEP_TICKS = 10;
const TICK_MS = 1000;
const MAX_PATIENCE_MS = 10_000;

/**
 * The DM streams of this process. Processes exchange only hints; each stream reads its messages
 * from the inbox, in order. A lost hint only delays messages
 * (docs/streams.md#direct-messages-for-bots).
 */
@Injectable()
export class DmStreams implements OnModuleInit, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly feeds = new Set<DmFeed>();
  private readonly byBot = new Map<string, Set<DmFeed>>();
  private readonly positions: DmPositions;
  private readonly options: DmFeedOptions;
  private readonly endings: (() => void)[] = [];
  private readonly sweeping = new Loop(() => this.sweepSome(), { everyMs: TICK_MS });
  private sweep: Iterator<DmFeed> | undefined;

  constructor(
    private readonly streams: SseStreams,
    private readonly bus: Bus,
    private readonly inbox: DmInbox,
    db: Db,
    { keepaliveSeconds }: LiveSettings,
    metrics: Metrics,
  ) {
    const failed = (): void => metrics.failure('dm_stream');
    this.positions = new DmPositions(db, failed);
    this.options = { patienceMs: Math.min(keepaliveSeconds * 1000, MAX_PATIENCE_MS), failed };
  }

  onModuleInit(): void {
    this.sweeping.start();
    this.endings.push(
      this.bus.subscribe(DM_CHANNEL, (announcement) => this.take(announcement as DmAnnouncement)),
      this.bus.onReconnect(() => this.wake(this.feeds)),
    );
  }

  async onModuleDestroy(): Promise<void> {
    for (const end of this.endings.splice(0)) end();
    await this.sweeping.stop();
  }

  /** All streams have already ended. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.positions.close();
  }

  /**
   * Responds to the request with the bot's stream: waiting messages first, then live ones. With
   * `Last-Event-ID` it resumes after that message.
   * @throws 503 while this process shuts down, or if the inbox can't be read
   */
  async open(request: FastifyRequest, reply: FastifyReply, caller: BotPrincipal): Promise<void> {
    const { spaceId, botId } = caller;
    // Before the headers: every message committed after they arrive is sent, even if another stream
    // receives it first.
    const after = await this.start({ spaceId, botId }, lastEventId(request));
    const stream = this.streams.open({ request, reply, caller });
    const { inbox, positions, options } = this;
    const feed = new DmFeed({ spaceId, botId, after }, stream, inbox, positions, options);
    this.add(botId, feed);
    stream.onClose(() => this.remove(botId, feed));
    feed.wake();
  }

  private async start(owner: InboxOwner, last: number | undefined): Promise<number> {
    const { inbox, positions } = this;
    // A pending position may be written, and removed, between the read of the inbox and its
    // response.
    const pending = positions.pendingOf(owner.botId);
    const start = Math.max(await inbox.start(owner), pending, positions.pendingOf(owner.botId));
    return last === undefined ? start : inbox.resume(owner, start, last);
  }

  private take({ bots, gap }: DmAnnouncement): void {
    if (gap) this.wake(this.feeds);
    for (const botId of bots ?? []) this.wake(this.byBot.get(botId) ?? []);
  }

  private wake(feeds: Iterable<DmFeed>): void {
    for (const feed of feeds) feed.wake();
  }

  /** Wakes a tenth of all streams, to avoid a burst of statements. */
  private sweepSome(): void {
    for (let left = Math.ceil(this.feeds.size / SWEEP_TICKS); left > 0; left -= 1) {
      this.sweep ??= this.feeds.values();
      const { value: feed, done } = this.sweep.next();
      if (done) this.sweep = undefined;
      else feed.wake();
    }
  }

  private add(botId: string, feed: DmFeed): void {
    this.feeds.add(feed);
    const others = this.byBot.get(botId);
    if (others) others.add(feed);
    else this.byBot.set(botId, new Set([feed]));
  }

  private remove(botId: string, feed: DmFeed): void {
    this.feeds.delete(feed);
    const others = this.byBot.get(botId);
    others?.delete(feed);
    if (others?.size === 0) this.byBot.delete(botId);
  }
}

/**
 * Returns the id of the last entry that the reader received, or undefined for a value that is not
 * an id.
 */
function lastEventId({ headers }: FastifyRequest): number | undefined {
  const header = headers['last-event-id'];
  return typeof header === 'string' && /^[0-9]{1,15}$/.test(header) ? Number(header) : undefined;
}
