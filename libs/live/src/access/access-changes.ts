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
 * Every process polls this often for changes the bus lost, so that access ends within a second:
 * docs/security.md.
 */
const LOOK_EVERY_MS = 500;
/**
 * Changes that take longer than this from the record to their commit, and are also lost by the bus,
 * are only found by the periodic verification.
 */
const LOOK_BACK_S = 10;
/** Prefix of a change's number in bus messages, next to the ids of what changed. */
const NUMBER = '#';

/** A listener for changes. */
interface Watcher {
  changed(ids: readonly string[]): void;
  missed(): void;
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
 * delivers the news immediately. Lost news is found in a table within half a second. News carry
 * only ids, so a superfluous one does no harm.
 */
@Injectable()
export class AccessChanges implements OnModuleInit, OnModuleDestroy {
  private readonly watchers = new Set<Watcher>();
  /** Numbers of the changes found by the previous poll. */
  private told = new Set<number>();
  /** Numbers received over the bus since the current poll started. */
  private heard = new Set<number>();
  private lookedAt: number | undefined;
  private readonly looking = new Loop(() => this.look(), { everyMs: LOOK_EVERY_MS });
  private endings: (() => void)[] = [];

  constructor(
    private readonly db: Db,
    private readonly bus: Bus,
  ) {}

  onModuleInit(): void {
    this.endings = [
      this.db.onSignal(ACCESS_CHANGED, (ids) => this.announce(ids)),
      this.bus.subscribe(ACCESS_CHANGED, (parts) => this.hear(parts as string[])),
      this.bus.onReconnect(() => this.missed()),
    ];
  }

  async onModuleDestroy(): Promise<void> {
    for (const end of this.endings) end();
    await this.looking.stop();
  }

  /**
   * Calls `changed` with the ids of bots, people and spaces changed in any process, and `missed`
   * when changes may have been lost. Returns a function that removes the watcher.
   */
  watch(changed: Watcher['changed'], missed: Watcher['missed']): () => void {
    const watcher = { changed, missed };
    this.watchers.add(watcher);
    this.looking.start().wake();
    return () => void this.watchers.delete(watcher);
  }

  /** Ignores changes already found in the table. */
  private hear(parts: readonly string[]): void {
    const isNumber = (part: string): boolean => part.startsWith(NUMBER);
    const numbers = parts.filter(isNumber).map((part) => Number(part.slice(NUMBER.length)));
    if (numbers.length > 0 && numbers.every((number) => this.told.has(number))) return;
    // Without watchers there is no poll that would clear them.
    if (this.watchers.size > 0) for (const number of numbers) this.heard.add(number);
    this.tell(parts.filter((part) => !isNumber(part)));
  }

  /**
   * Ignores changes already received over the bus. The first poll reports all, because they may be
   * newer than the check that opened a stream.
   */
  private async look(): Promise<void> {
    const before = this.heard;
    this.heard = new Set();
    const recent = await this.db.lookUp(RECENT_ACCESS_CHANGES, [LOOK_BACK_S]);
    const { told, heard, lookedAt } = this;
    this.told = new Set(recent.map(({ id }) => id));
    this.lookedAt = performance.now();
    if (this.lookedAt - (lookedAt ?? this.lookedAt) > LOOK_BACK_S * 1000) this.missed();
    const known = [told, before, heard];
    const news = recent.filter(({ id }) => !known.some((numbers) => numbers.has(id)));
    this.tell(news.map(({ subjectId }) => subjectId));
  }

  private tell(ids: readonly string[]): void {
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
