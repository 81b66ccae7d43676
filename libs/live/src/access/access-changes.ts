import { Injectable } from '@nestjs/common';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Db } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { Bus } from '../bus/bus.js';

/** Signalled in a process, and the bus channel between processes. */
const ACCESS_CHANGED = 'access';
/** So that a message fits into one notification of Postgres. */
const IDS_PER_MESSAGE = 100;

/**
 * Notes in the transaction that changes a bot, a person or a space that its tokens may open something else from now on.
 * @param id of the bot, person or space
 */
export function signalAccessChange(tx: Tx, id: string): void {
  tx.signal(ACCESS_CHANGED, id);
}

/**
 * Tells every process whose access may have changed: what was let in before is then judged again. It tells no more than that, so
 * a message too many does no harm; one that was lost is made up for by clocks.
 */
@Injectable()
export class AccessChanges implements OnModuleInit, OnModuleDestroy {
  private end: () => void = () => undefined;

  constructor(
    private readonly db: Db,
    private readonly bus: Bus,
  ) {}

  onModuleInit(): void {
    this.end = this.db.onSignal(ACCESS_CHANGED, (ids) => this.announce(ids));
  }

  onModuleDestroy(): void {
    this.end();
  }

  /**
   * Calls `changed` with the ids of bots, persons and spaces that were changed in any process, and `missed` when such news may
   * have been lost. Returns the function that ends it.
   */
  watch(changed: (ids: readonly string[]) => void, missed: () => void): () => void {
    const endings = [
      this.bus.subscribe(ACCESS_CHANGED, (ids) => changed(ids as string[])),
      this.bus.onReconnect(missed),
    ];
    return () => endings.forEach((end) => end());
  }

  private announce(ids: readonly string[]): void {
    for (let start = 0; start < ids.length; start += IDS_PER_MESSAGE)
      this.bus.publish(ACCESS_CHANGED, ids.slice(start, start + IDS_PER_MESSAGE));
  }
}
