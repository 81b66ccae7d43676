import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { Loop } from '@tieline/background';
import { Db } from '@tieline/platform/database';
import { v7 as uuidv7 } from 'uuid';
import { HEARTBEAT, LEAVE, WRITE_PRESENCE } from '../live.statements.js';

/**
 * How often this process says that it is alive, in milliseconds; readers wait for three such signs
 * of life.
 */
const HEARTBEAT_MS = 10_000;

interface Presence {
  spaceId: string;
  userId: string;
  streamId: string;
  /** By this process's own clock; the database's clock counts for others. */
  openedAt: number;
}

/**
 * Writes down which client streams are open here, so that any process can tell who is online
 * (`peopleHere`). Opening and closing only note what is to be written; one statement at a time
 * carries all of it. What fails is tried again with the next sign of life, and after a loss of the
 * tables everything is written anew.
 */
@Injectable()
export class ClientPresence implements OnModuleInit, BeforeApplicationShutdown {
  private readonly processId = uuidv7();
  private readonly open = new Map<string, Presence>();
  /** What was opened or closed since it was last written, by stream. */
  private changed = new Map<string, Presence>();
  private readonly writing = new Loop(() => this.writeAll());
  private readonly beating = new Loop(() => this.heartbeat(), { everyMs: HEARTBEAT_MS });

  constructor(private readonly db: Db) {}

  onModuleInit(): void {
    this.beating.start().wake();
  }

  /** A person's stream opened. Returns at once. */
  opened(spaceId: string, userId: string, streamId: string): void {
    const presence = { spaceId, userId, streamId, openedAt: performance.now() };
    this.open.set(streamId, presence);
    this.note(presence);
  }

  /** A stream closed. Returns at once. */
  closed(streamId: string): void {
    const presence = this.open.get(streamId);
    if (!presence) return;
    this.open.delete(streamId);
    this.note(presence);
  }

  /** The streams have been closed before: takes this process and all of them off the list. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.beating.stop();
    await this.writing.stop();
    // Should the database be away, readers stop believing this process by themselves.
    await this.db.query(LEAVE, [this.processId]).catch(() => undefined);
  }

  /** @internal tests do not wait for the clock */
  async heartbeat(): Promise<void> {
    try {
      const [row] = await this.db.query(HEARTBEAT, [this.processId]);
      if (row?.is_new === true)
        for (const presence of this.open.values()) this.changed.set(presence.streamId, presence);
      this.writing.wake();
    } catch {
      // The next one tries again.
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
        // Newer notes win over those of the batch that failed; the next heartbeat writes them.
        this.changed = new Map([...batch, ...this.changed]);
        return;
      }
    }
  }

  private async writeBatch(changed: Presence[]): Promise<void> {
    const opened = changed.filter(({ streamId }) => this.open.has(streamId));
    const closed = changed.filter(({ streamId }) => !this.open.has(streamId));
    await this.db.query(WRITE_PRESENCE, [
      closed.map((p) => p.spaceId),
      closed.map((p) => p.userId),
      closed.map((p) => p.streamId),
      opened.map((p) => p.spaceId),
      opened.map((p) => p.userId),
      opened.map((p) => p.streamId),
      opened.map((p) => Math.round(performance.now() - p.openedAt)),
      this.processId,
    ]);
  }
}
