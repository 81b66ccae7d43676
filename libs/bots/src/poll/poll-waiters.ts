import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Signal } from '@tieline/background';
import { AccessChanges, Bus } from '@tieline/live';
import { POLL_CHANNEL } from './announce-poll-records.js';
import type { PollAnnouncement } from './announce-poll-records.js';

/** Maximum number of waiting long polls of one bot per process. One more ends the oldest. */
const MAX_PER_BOT = 4;

/**
 * Why a wait ended: `look`: there may be records. `timeout`: the time is up. `ended`: the poll must
 * respond now.
 */
type WaitEnd = 'look' | 'timeout' | 'ended';

/** A waiting long poll. Enter it before reading the queue, so that no hint is missed in between. */
export interface PollWaiter {
  /** Resolves after `ms` at the latest. A hint that arrived before the call counts. */
  wait(ms: number): Promise<WaitEnd>;
  leave(): void;
}

/**
 * Long polls that wait for records. A wait uses only memory, no connection and no transaction.
 * Processes send each other hints; the records are in the database (docs/polling.md#long-polling).
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
      // A changed bot may have left the mode or lost its token. Its polls check again and end with
      // the matching error.
      this.changes.watch(
        (ids) => this.take({ bots: [...ids] }),
        () => this.take({}),
        () => this.byBot.size > 0,
      ),
    );
  }

  onModuleDestroy(): void {
    for (const end of this.endings.splice(0)) end();
  }

  /** Ends all waits immediately, because the process is about to stop. */
  beforeApplicationShutdown(): void {
    this.closed = true;
    for (const waiters of this.byBot.values()) for (const waiter of waiters) waiter.end();
  }

  /**
   * Starts to wait for a bot's records.
   * @param gone aborts when the client disconnects
   */
  enter(botId: string, gone: AbortSignal | undefined): PollWaiter {
    const waiters = this.byBot.get(botId) ?? new Set();
    this.byBot.set(botId, waiters);
    const waiter = new Waiter(() => {
      waiters.delete(waiter);
      if (waiters.size === 0 && this.byBot.get(botId) === waiters) this.byBot.delete(botId);
    });
    const [oldest] = waiters;
    if (oldest && waiters.size >= MAX_PER_BOT) {
      oldest.end();
      waiters.delete(oldest);
    }
    waiters.add(waiter);
    if (this.closed || gone?.aborted) waiter.end();
    else gone?.addEventListener('abort', () => waiter.end(), { once: true });
    return waiter;
  }

  /** Returns the number of waiting long polls of a bot in this process. */
  countOf(botId: string): number {
    return this.byBot.get(botId)?.size ?? 0;
  }

  private take({ bots }: PollAnnouncement): void {
    for (const botId of bots ?? this.byBot.keys())
      for (const waiter of this.byBot.get(botId) ?? []) waiter.look();
  }
}

class Waiter implements PollWaiter {
  private readonly signal = new Signal();
  private hasEnded = false;

  constructor(readonly leave: () => void) {}

  async wait(ms: number): Promise<WaitEnd> {
    const isNotified = this.hasEnded || (await this.signal.wait(ms));
    if (this.hasEnded) return 'ended';
    return isNotified ? 'look' : 'timeout';
  }

  look(): void {
    this.signal.notify();
  }

  /** Ends this wait and all later ones. */
  end(): void {
    this.hasEnded = true;
    this.signal.notify();
  }
}
