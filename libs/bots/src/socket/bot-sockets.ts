import { Injectable } from '@nestjs/common';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Loop } from '@tieline/background';
import { AccessChanges, Bus } from '@tieline/live';
import { Db } from '@tieline/platform/database';
import { Metrics } from '@tieline/platform/observability';
import type { WebSocket } from 'ws';
import { SocketSettings } from '../bots.settings.js';
import { POLL_CHANNEL } from '../poll/announce-poll-records.js';
import type { PollAnnouncement } from '../poll/announce-poll-records.js';
import { Acknowledgements } from './acknowledgements.js';
import { BotSocket } from './bot-socket.js';
import type { SocketEvents } from './bot-socket.js';
import type { SocketOwner } from './socket-owner.js';
import { ServeSockets } from './serve-sockets.js';
import { SocketFeed } from './socket-feed.js';
import { CONFIRM_SOCKETS, REMOVE_SOCKET } from './sockets.statements.js';

const TICK_MS = 250;
/** Maximum delay of a record if its hint was lost. */
const SECOND_LOOK_MS = 5_000;
const CONFIRM_EVERY_MS = 5_000;

/** The open sockets of this process. */
@Injectable()
export class BotSockets implements OnModuleInit, OnModuleDestroy {
  private readonly feeds = new Map<string, SocketFeed>();
  private readonly endings: (() => void)[] = [];
  /** Pending work for closed sockets. */
  private readonly leaving = new Set<Promise<unknown>>();
  private readonly ticking = new Loop(() => this.tick(), { everyMs: TICK_MS });
  private readonly confirming = new Loop(() => this.confirm(), { everyMs: CONFIRM_EVERY_MS });
  private readonly events: SocketEvents = {
    message: (socket, data, isBinary) => {
      const feed = this.feeds.get(socket.owner.botId);
      if (feed) this.acknowledgements.handle(feed, socket, data, isBinary);
    },
    closed: (socket) => this.leave(socket),
  };
  private closing = false;

  constructor(
    private readonly db: Db,
    private readonly bus: Bus,
    private readonly changes: AccessChanges,
    private readonly acknowledgements: Acknowledgements,
    private readonly settings: SocketSettings,
    private readonly serveSockets: ServeSockets,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.ticking.start();
    this.confirming.start();
    this.endings.push(
      this.bus.subscribe(POLL_CHANNEL, (hint) => this.wake((hint as PollAnnouncement).bots)),
      this.bus.onReconnect(() => this.wake(undefined)),
      // After a change of a bot or a space, each feed checks again who may have a socket.
      this.changes.watch(
        () => this.wake(undefined),
        () => this.wake(undefined),
        () => this.feeds.size > 0,
      ),
    );
  }

  /** Disconnects every bot and waits until unacknowledged envelopes are returned. */
  async onModuleDestroy(): Promise<void> {
    this.closing = true;
    for (const end of this.endings.splice(0)) end();
    for (const socket of this.all()) socket.end('shutdown');
    await Promise.all([...this.all()].map((socket) => socket.gone));
    await Promise.all(this.leaving);
    await this.ticking.stop();
    await this.confirming.stop();
  }

  /** Number of open sockets in this process. */
  get count(): number {
    return [...this.all()].length;
  }

  get isClosing(): boolean {
    return this.closing;
  }

  /** Starts to send the bot's records over this connection. */
  add(ws: WebSocket, owner: SocketOwner, connectionId: string): void {
    const { pingSeconds, ackSeconds } = this.settings;
    const times = { pingMs: pingSeconds * 1000, patienceMs: ackSeconds * 1000 };
    const { serveSockets, bus, metrics } = this;
    const feed = this.feeds.get(owner.botId) ?? new SocketFeed(owner, serveSockets, bus, metrics);
    this.feeds.set(owner.botId, feed);
    const socket = new BotSocket(ws, owner, connectionId, times, this.events);
    feed.sockets.add(socket);
    if (this.closing) socket.end('shutdown');
    feed.wake();
  }

  /** Removes the socket from the database. */
  async forget({ spaceId, botId }: SocketOwner, connectionId: string): Promise<void> {
    await this.db.query(REMOVE_SOCKET, [spaceId, botId, connectionId]).catch(() => undefined);
  }

  private leave(socket: BotSocket): void {
    const { owner, id } = socket;
    const feed = this.feeds.get(owner.botId);
    feed?.remove(socket);
    const isLast = feed?.sockets.size === 0;
    if (isLast) this.feeds.delete(owner.botId);
    const left = Promise.all([this.forget(owner, id), isLast ? feed.close() : undefined]);
    this.leaving.add(left);
    void left.finally(() => this.leaving.delete(left));
  }

  private wake(bots: Iterable<string> | undefined): void {
    for (const botId of bots ?? this.feeds.keys()) this.feeds.get(botId)?.wake();
  }

  private tick(): void {
    const lookMs = Math.min(SECOND_LOOK_MS, this.settings.ackSeconds * 1000);
    for (const feed of this.feeds.values()) feed.tick(lookMs);
  }

  /** Confirms to other processes that these sockets are still open. */
  private async confirm(): Promise<void> {
    const open = [...this.all()].filter(({ isOpen }) => isOpen);
    if (open.length === 0) return;
    const owners = open.map(({ owner }) => owner);
    await this.db
      .query(CONFIRM_SOCKETS, [
        owners.map(({ spaceId }) => spaceId),
        owners.map(({ botId }) => botId),
        open.map(({ id }) => id),
      ])
      .catch(() => this.metrics.failure('bot_socket'));
  }

  private *all(): Iterable<BotSocket> {
    for (const { sockets } of this.feeds.values()) yield* sockets;
  }
}
