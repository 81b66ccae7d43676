import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { AccessChanges, Bus } from '@tieline/live';
import { POLL_CHANNEL } from './announce-poll-records.js';
import type { PollAnnouncement } from './announce-poll-records.js';

/** Long polls of one bot that wait in one process; one more ends the oldest. */
const MAX_PER_BOT = 4;

/**
 * Why a wait ended: there may be records; the time is up; the poll must be answered now, whatever
 * there is.
 */
export type WaitEnd = 'look' | 'timeout' | 'ended';

/**
 * A long poll that waits. Entered before the queue is read, so that no hint is missed in between.
 */
export interface PollWaiter {
  /** Resolves after `ms` at the latest; a hint that came before the call counts. */
  wait(ms: number): Promise<WaitEnd>;
  leave(): void;
}

/**
 * Long polls that wait for records (decisions, section 4). A wait takes memory only, no connection
 * and no transaction. Processes send each other hints; the records are in the database.
 */
@Injectable()
export class PollWaiters implements OnModuleInit, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly byBot = new Map<string, Set<Waiter>>();
  private readonly endings: (() => void)[] = [];
  private closed = false;

  constructor(
    private readonly bus: Bus,
    private readonly changes: AccessChanges,
  ) {}

  onModuleInit(): void {
    this.endings.push(
      this.bus.subscribe(POLL_CHANNEL, (announcement) => this.take(announcement as PollAnnouncement)),
      // A bot that was changed may have left the mode, or lost its token: its waits end with the
      // error that says so.
      this.changes.watch(
        (ids) => this.take({ bots: [...ids] }),
        () => this.take({}),
      ),
    );
  }

  onModuleDestroy(): void {
    for (const end of this.endings.splice(0)) end();
  }

  /** Answers waiting clients at once: the process is about to end. */
  beforeApplicationShutdown(): void {
    this.closed = true;
    for (const waiters of this.byBot.values()) for (const waiter of waiters) waiter.end('ended');
  }

  /** Begins to listen for a bot's records. @param gone aborts when the client has gone */
  enter(botId: string, gone: AbortSignal | undefined): PollWaiter {
    const waiters = this.byBot.get(botId) ?? new Set();
    this.byBot.set(botId, waiters);
    const waiter = new Waiter(() => {
      waiters.delete(waiter);
      if (waiters.size === 0 && this.byBot.get(botId) === waiters) this.byBot.delete(botId);
    });
    const [oldest] = waiters;
    if (oldest && waiters.size >= MAX_PER_BOT) {
      oldest.end('ended');
      waiters.delete(oldest);
    }
    waiters.add(waiter);
    if (this.closed || gone?.aborted) waiter.end('ended');
    else gone?.addEventListener('abort', () => waiter.end('ended'), { once: true });
    return waiter;
  }

  /** Long polls of a bot that wait in this process. */
  countOf(botId: string): number {
    return this.byBot.get(botId)?.size ?? 0;
  }

  private take({ bots }: PollAnnouncement): void {
    for (const botId of bots ?? this.byBot.keys())
      for (const waiter of this.byBot.get(botId) ?? []) waiter.end('look');
  }
}

class Waiter implements PollWaiter {
  private pending: WaitEnd | undefined;
  private resolve: ((end: WaitEnd) => void) | undefined;

  constructor(readonly leave: () => void) {}

  async wait(ms: number): Promise<WaitEnd> {
    const end = this.pending ?? (await this.next(ms));
    // A hint is used up by looking; `ended` stays.
    if (end === 'look') this.pending = undefined;
    return end;
  }

  end(end: 'look' | 'ended'): void {
    if (this.pending === 'ended') return;
    this.pending = end;
    this.resolve?.(end);
  }

  private async next(ms: number): Promise<WaitEnd> {
    if (ms <= 0) return 'timeout';
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve('timeout'), ms);
      this.resolve = (end) => {
        clearTimeout(timer);
        resolve(end);
      };
    });
  }
}
