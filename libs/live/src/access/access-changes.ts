import { Injectable } from '@nestjs/common';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Loop } from '@tieline/background';
import { Db } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { Bus } from '../bus/bus.js';
import { NOTE_ACCESS_CHANGE, RECENT_ACCESS_CHANGES } from './access-changes.statements.js';

/** Signalled in a process, and the bus channel between processes. */
const ACCESS_CHANGED = 'access';
/** So that a message fits into one notification of Postgres. */
const IDS_PER_MESSAGE = 100;
/**
 * Every process looks for what the bus did not tell it this often: access ends within a second
 * (decisions, section 5).
 */
const LOOK_EVERY_MS = 500;
/**
 * Changes that take longer than this from the note to their commit, and are not told either, are
 * left to slow clocks.
 */
const LOOK_BACK_S = 10;
/** Begins a change's number on the bus, where the ids of what was changed are, too. */
const NUMBER = '#';

/** Who hears of changes. */
interface Watcher {
  changed(ids: readonly string[]): void;
  missed(): void;
}

/**
 * Notes in the transaction that changes a bot, a person or a space that its tokens may open
 * something else from now on.
 * @param id of the bot, person or space
 */
export async function signalAccessChange(tx: Tx, id: string): Promise<void> {
  const [change] = await tx.query(NOTE_ACCESS_CHANGE, [id]);
  tx.signal(ACCESS_CHANGED, id);
  if (change) tx.signal(ACCESS_CHANGED, `${NUMBER}${change.id}`);
}

/**
 * Tells every process whose access may have changed: what was let in before is then judged again.
 * The bus tells it at once. What it loses, silently or with the process that should have told it,
 * is found in a table within half a second. It tells no more than that, so a message too many does
 * no harm.
 */
@Injectable()
export class AccessChanges implements OnModuleInit, OnModuleDestroy {
  private readonly watchers = new Set<Watcher>();
  /** Numbers of the changes that were in the table when it was looked at last. */
  private told = new Set<number>();
  /** Numbers that the bus has told since the last look began. */
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
   * Calls `changed` with the ids of bots, persons and spaces that were changed in any process, and
   * `missed` when such news may have been lost. Returns the function that ends it.
   */
  watch(changed: Watcher['changed'], missed: Watcher['missed']): () => void {
    const watcher = { changed, missed };
    this.watchers.add(watcher);
    this.looking.start().wake();
    return () => void this.watchers.delete(watcher);
  }

  /** What the table has told is not told again. */
  private hear(parts: readonly string[]): void {
    const isNumber = (part: string): boolean => part.startsWith(NUMBER);
    const numbers = parts.filter(isNumber).map((part) => Number(part.slice(NUMBER.length)));
    if (numbers.length > 0 && numbers.every((number) => this.told.has(number))) return;
    // Whoever looks at nothing would never forget them.
    if (this.watchers.size > 0) for (const number of numbers) this.heard.add(number);
    this.tell(parts.filter((part) => !isNumber(part)));
  }

  /**
   * What the bus has told is not told again. The first look tells, too: what it sees may be newer
   * than what a stream was opened by.
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
