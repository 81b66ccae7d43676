import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { Loop, PersistentSession, TOPIC_LOCKS } from '@tieline/background';
import type { RowOf } from '@tieline/platform/database';
import { CLEAN_SPILLED, FETCH_SPILLED, NOTIFY, SPILL } from './bus.statements.js';
import { channelOf, parseSpilled, spilledLine, unpackFrame } from './lines.js';
import { SHARED_TOPIC, packByTopic } from './topics.js';
import type { Transport, TransportEvents } from './transport.js';

/** Channel of the shared topic. Other topics append their name. */
const NOTIFY_CHANNEL = 'tieline_bus';
/** A notification must be shorter than 8000 bytes. */
const MAX_FRAME_BYTES = 7_900;
/** Leaves room for a frame's stamp. */
const MAX_LINE_BYTES = MAX_FRAME_BYTES - 100;
const CLEAN_MS = 30_000;

/**
 * LISTEN/NOTIFY over two sessions: one listens, the other notifies, never from a business
 * transaction. Lines too large for a notification are stored in `bus_messages` for a minute and
 * read by id.
 */
export class PostgresTransport implements Transport {
  private listener: PersistentSession;
  private notifier: PersistentSession;
  private events: TransportEvents | undefined;
  /** The session that listens to topics. */
  private hearing: pg.Client | undefined;
  private readonly cleaner = new Loop(() => this.notifier.client?.query(CLEAN_SPILLED.text), {
    everyMs: CLEAN_MS,
  });
  /** Frames waiting for a stored line before them. */
  private behind: Promise<void> | undefined;
  private readonly sender = randomBytes(6).toString('base64url');
  private sent = 0;

  constructor(databaseUrl: string, name = 'tieline-bus') {
    const purpose = {
      databaseUrl,
      // Nothing here survives a crash, so commits do not wait for the disk.
      settings: { synchronous_commit: 'off' },
      onFailed: (error: Error) => this.events?.failed(error),
    };
    this.listener = new PersistentSession({
      ...purpose,
      name: `${name}-listen`,
      prepare: (client) => this.hear(client),
      onLost: () => this.stopHearing(),
    });
    this.notifier = new PersistentSession({
      ...purpose,
      name: `${name}-notify`,
      onReady: () => this.events?.sendable(true),
      onLost: () => this.events?.sendable(false),
    });
  }

  start(events: TransportEvents): void {
    this.events = events;
    this.listener.start();
    this.notifier.start();
    this.cleaner.start();
  }

  /**
   * Sends lines to every process, including this one.
   *
   * @throws Error without a connection
   */
  async send(lines: string[]): Promise<void> {
    const client = this.notifier.client;
    if (client === undefined) throw new Error('no session');
    try {
      const frames = packByTopic(
        await this.spill(client, lines),
        MAX_FRAME_BYTES,
        () => `${this.sender}.${(this.sent += 1)}`,
      );
      const columns = [
        frames.map(({ topic }) => notifyChannelOf(topic)),
        frames.map(({ frame }) => frame),
        frames.map(({ topic }) => (topic === SHARED_TOPIC ? null : Number(topic))),
      ];
      await client.query({ ...NOTIFY, values: columns });
    } catch (error) {
      this.notifier.abandon(client, error as Error);
      throw error;
    }
  }

  async listen(topic: string): Promise<void> {
    const client = this.hearing;
    await client?.query(listenTo(topic)).catch((error: Error) => this.listener.abandon(client, error));
  }

  leave(topic: string): void {
    const client = this.hearing;
    client
      ?.query(
        `UNLISTEN ${notifyChannelOf(topic)}; SELECT pg_advisory_unlock_shared(${TOPIC_LOCKS}, ${topic})`,
      )
      .catch((error: Error) => this.listener.abandon(client, error));
  }

  async close(): Promise<void> {
    await this.cleaner.stop();
    await Promise.all([this.listener.close(), this.notifier.close()]);
  }

  private async hear(client: pg.Client): Promise<void> {
    client.on('notification', ({ payload }) => this.receive(client, payload ?? ''));
    const subscribed = new Set<string>();
    for (let next = this.topicsBut(subscribed); next.length > 0; next = this.topicsBut(subscribed)) {
      await client.query(next.map(listenTo).join('; '));
      for (const topic of next) subscribed.add(topic);
    }
    // In the same turn that found no further topic, so that later subscribers use this session.
    this.hearing = client;
    this.events?.listening(true);
  }

  private topicsBut(subscribed: ReadonlySet<string>): string[] {
    return [SHARED_TOPIC, ...(this.events?.topics() ?? [])].filter((topic) => !subscribed.has(topic));
  }

  private stopHearing(): void {
    this.hearing = undefined;
    this.events?.listening(false);
  }

  /**
   * Stores large lines before the notification that refers to them, and returns the lines to send
   * instead.
   */
  private async spill(client: pg.Client, lines: string[]): Promise<string[]> {
    const ids: string[] = [];
    const bodies: string[] = [];
    const toSend = lines.map((line) => {
      // A character has at most three bytes of UTF-8, so the bytes of short lines are not counted.
      if (line.length * 3 <= MAX_LINE_BYTES || Buffer.byteLength(line) <= MAX_LINE_BYTES) return line;
      const id = randomUUID();
      ids.push(id);
      bodies.push(line);
      return spilledLine(id, channelOf(line));
    });
    if (ids.length > 0) await client.query({ ...SPILL, values: [ids, bodies] });
    return toSend;
  }

  private receive(client: pg.Client, frame: string): void {
    const lines = unpackFrame(frame);
    const wanted = lines
      .flatMap((line) => parseSpilled(line) ?? [])
      .filter(({ channel }) => this.events?.wants(channel));
    if (wanted.length === 0 && this.behind === undefined) return this.events?.received(withoutSpilled(lines));
    const ids = wanted.map(({ id }) => id);
    const turn = (this.behind ?? Promise.resolve()).then(() => this.receiveSpilled(client, lines, ids));
    this.behind = turn;
    void turn.finally(() => {
      if (this.behind === turn) this.behind = undefined;
    });
  }

  /** Never rejects. Unreadable lines are reported as missed. */
  private async receiveSpilled(client: pg.Client, lines: string[], ids: string[]): Promise<void> {
    const bodies = ids.length === 0 ? new Map<string, string>() : await this.fetch(client, ids);
    if (bodies.size < ids.length) this.events?.missed();
    this.events?.received(
      lines.flatMap((line) => {
        const spilled = parseSpilled(line);
        return spilled === undefined ? [line] : (bodies.get(spilled.id) ?? []);
      }),
    );
  }

  private async fetch(client: pg.Client, ids: string[]): Promise<Map<string, string>> {
    try {
      const { rows } = await client.query<RowOf<typeof FETCH_SPILLED>>({ ...FETCH_SPILLED, values: [ids] });
      return new Map(rows.map((row) => [row.id, row.body]));
    } catch (error) {
      this.listener.abandon(client, error as Error);
      return new Map();
    }
  }
}

function withoutSpilled(lines: string[]): string[] {
  return lines.filter((line) => parseSpilled(line) === undefined);
}

function notifyChannelOf(topic: string): string {
  return topic === SHARED_TOPIC ? NOTIFY_CHANNEL : `${NOTIFY_CHANNEL}_${topic}`;
}

/** Returns the SQL that listens to a topic and tells senders so (`NOTIFY`). */
function listenTo(topic: string): string {
  const listen = `LISTEN ${notifyChannelOf(topic)}`;
  return topic === SHARED_TOPIC
    ? listen
    : `${listen}; SELECT pg_advisory_lock_shared(${TOPIC_LOCKS}, ${topic})`;
}
