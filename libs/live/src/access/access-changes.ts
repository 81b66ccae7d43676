import { Injectable } from '@nestjs/common';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Loop } from '@tieline/background';
import { Db } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { Bus } from '../bus/bus.js';
import { NOTE_ACCESS_CHANGE, RECENT_ACCESS_CHANGES } from './access-changes.statements.js';

/** Signal within a process, and bus channel between processes. */
const ACCESS_CHANGED = 'access';
/** Keeps a message within one Postgres notification. */
const IDS_PER_MESSAGE = 100;
/**
 * A process with open connections polls this often for changes the bus lost, so that access ends
 * within a second: docs/security.md.
 */
const POLL_INTERVAL_MS = 500;
/**
 * Changes that take longer than this from the record to their commit, and are also lost by the bus,
 * are only found by the periodic verification.
 */
const POLL_WINDOW_S = 10;
/** Prefix of a change's number in bus messages, next to the ids of what changed. */
const NUMBER = '#';

/** A listener for changes. */
interface Watcher {
  changed(ids: readonly string[]): void;
  missed(): void;
  isNeeded(): boolean;
}

/**
 * Records, in the transaction that changes a bot, a person or a space, that its tokens may grant
 * different access from now on.
 *
 * @param id of the bot, person or space
 */
export async function signalAccessChange(tx: Tx, id: string): Promise<void> {
  const [change] = await tx.query(NOTE_ACCESS_CHANGE, [id]);
  tx.signal(ACCESS_CHANGED, id);
  if (change) tx.signal(ACCESS_CHANGED, `${NUMBER}${change.id}`);
}

/**
 * Notifies every process of changed access, which then verifies open connections again. The bus
 * delivers changes immediately. Lost ones are found in a table within half a second. They contain
 * only ids, so a repeated one does no harm.
 */
@Injectable()
export class AccessChanges implements OnModuleInit, OnModuleDestroy {
  private readonly watchers = new Set<Watcher>();
  /** Numbers of the changes found by the previous poll. */
  private polled = new Set<number>();
  /** Numbers received over the bus since the current poll started. */
  private received = new Set<number>();
  private polledAt: number | undefined;
  private readonly polling = new Loop(() => this.poll(), { everyMs: POLL_INTERVAL_MS });
  private endings: (() => void)[] = [];

  constructor(
    private readonly db: Db,
    private readonly bus: Bus,
  ) {}

  onModuleInit(): void {
    this.endings = [
      this.db.onSignal(ACCESS_CHANGED, (ids) => this.announce(ids)),
      this.bus.subscribe(ACCESS_CHANGED, (parts) => this.receive(parts as string[])),
      this.bus.onReconnect(() => this.missed()),
    ];
  }

  async onModuleDestroy(): Promise<void> {
    for (const end of this.endings) end();
    await this.polling.stop();
  }

  /**
   * Calls `changed` with the ids of bots, people and spaces changed in any process, and `missed`
   * when changes may have been lost. Returns a function that removes the watcher.
   * @param isNeeded whether something is open whose access may end
   */
  watch(
    changed: Watcher['changed'],
    missed: Watcher['missed'],
    isNeeded: Watcher['isNeeded'] = () => true,
  ): () => void {
    const watcher = { changed, missed, isNeeded };
    this.watchers.add(watcher);
    this.polling.start().wake();
    return () => void this.watchers.delete(watcher);
  }

  /** Ignores changes already found in the table. */
  private receive(parts: readonly string[]): void {
    const isNumber = (part: string): boolean => part.startsWith(NUMBER);
    const numbers = parts.filter(isNumber).map((part) => Number(part.slice(NUMBER.length)));
    if (numbers.length > 0 && numbers.every((number) => this.polled.has(number))) return;
    // Without watchers there is no poll that would clear them.
    if (this.watchers.size > 0) for (const number of numbers) this.received.add(number);
    this.notify(parts.filter((part) => !isNumber(part)));
  }

  /**
   * Ignores changes already received over the bus. The first poll reports all, because they may be
   * newer than the check that opened a stream.
   */
  private async poll(): Promise<void> {
    if (![...this.watchers].some(({ isNeeded }) => isNeeded())) {
      // The next poll is a first one.
      this.polled = new Set();
      this.received = new Set();
      this.polledAt = undefined;
      return;
    }
    const before = this.received;
    this.received = new Set();
    const recent = await this.db.lookUp(RECENT_ACCESS_CHANGES, [POLL_WINDOW_S]);
    const { polled, received, polledAt } = this;
    this.polled = new Set(recent.map(({ id }) => id));
    this.polledAt = performance.now();
    if (this.polledAt - (polledAt ?? this.polledAt) > POLL_WINDOW_S * 1000) this.missed();
    const known = [polled, before, received];
    const news = recent.filter(({ id }) => !known.some((numbers) => numbers.has(id)));
    this.notify(news.map(({ subjectId }) => subjectId));
  }

  private notify(ids: readonly string[]): void {
    if (ids.length > 0) for (const { changed } of this.watchers) changed(ids);
  }

  private missed(): void {
    for (const { missed } of this.watchers) missed();
  }

  private announce(ids: readonly string[]): void {
    for (let start = 0; start < ids.length; start += IDS_PER_MESSAGE)
      this.bus.publish(ACCESS_CHANGED, ids.slice(start, start + IDS_PER_MESSAGE));
  }
}
