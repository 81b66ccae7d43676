import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { Loop } from '@tieline/background';
import { Db } from '@tieline/platform/database';
import { uuidv7 } from 'uuidv7';
import { HEARTBEAT, LEAVE, WRITE_PRESENCE } from '../live.statements.js';

/**
 * Heartbeat interval of this process in milliseconds. Other processes wait for three missed
 * heartbeats.
 */
const HEARTBEAT_MS = 10_000;

interface Presence {
  spaceId: string;
  userId: string;
  streamId: string;
  /** By this process's clock. Only its age is sent to the database, which has its own clock. */
  openedAt: number;
}

/**
 * Records which client streams are open in this process, so that any process can tell who is online
 * (`peopleHere`). `opened` and `closed` only queue the change; one statement at a time writes all
 * queued changes. Failed writes are retried with the next heartbeat. If the tables were lost, all
 * open streams are written again.
 */
@Injectable()
export class ClientPresence implements OnModuleInit, BeforeApplicationShutdown {
  private readonly processId = uuidv7();
  private readonly open = new Map<string, Presence>();
  /** Streams opened or closed since the last write, by stream id. */
  private changed = new Map<string, Presence>();
  private readonly writing = new Loop(() => this.writeAll());
  private readonly beating = new Loop(() => this.heartbeat(), { everyMs: HEARTBEAT_MS });

  constructor(private readonly db: Db) {}

  onModuleInit(): void {
    this.beating.start().wake();
  }

  /** Queues the opening of a person's stream. Does not wait for the database. */
  opened(spaceId: string, userId: string, streamId: string): void {
    const presence = { spaceId, userId, streamId, openedAt: performance.now() };
    this.open.set(streamId, presence);
    this.note(presence);
  }

  /** Queues the closing of a stream. Does not wait for the database. */
  closed(streamId: string): void {
    const presence = this.open.get(streamId);
    if (!presence) return;
    this.open.delete(streamId);
    this.note(presence);
  }

  /** Removes this process and its streams. All streams have already been closed. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.beating.stop();
    await this.writing.stop();
    // If the database is unavailable, readers drop this process after its heartbeats stop.
    await this.db.query(LEAVE, [this.processId]).catch(() => undefined);
  }

  /** @internal called directly by tests */
  async heartbeat(): Promise<void> {
    try {
      const [row] = await this.db.query(HEARTBEAT, [this.processId]);
      if (row?.isNew === true)
        for (const presence of this.open.values()) this.changed.set(presence.streamId, presence);
      this.writing.wake();
    } catch {
      // The next heartbeat retries.
    }
  }

  private note(presence: Presence): void {
    this.changed.set(presence.streamId, presence);
    this.writing.wake();
  }

  private async writeAll(): Promise<void> {
    while (this.changed.size > 0) {
      const batch = this.changed;
      this.changed = new Map();
      try {
        await this.writeBatch([...batch.values()]);
      } catch {
        // Newer changes win over those of the failed batch. The next heartbeat writes them.
        this.changed = new Map([...batch, ...this.changed]);
        return;
      }
    }
  }

  private async writeBatch(changed: Presence[]): Promise<void> {
    const opened = changed.filter(({ streamId }) => this.open.has(streamId));
    const closed = changed.filter(({ streamId }) => !this.open.has(streamId));
    await this.db.query(WRITE_PRESENCE, {
      closedSpaces: closed.map((p) => p.spaceId),
      closedUsers: closed.map((p) => p.userId),
      closedStreams: closed.map((p) => p.streamId),
      openedSpaces: opened.map((p) => p.spaceId),
      openedUsers: opened.map((p) => p.userId),
      openedStreams: opened.map((p) => p.streamId),
      openedAgesMs: opened.map((p) => Math.round(performance.now() - p.openedAt)),
      processId: this.processId,
    });
  }
}
