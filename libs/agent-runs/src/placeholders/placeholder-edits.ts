import { Inject, Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { KeyedSemaphore } from '@tieline/background';
import { LOGGER } from '@tieline/platform/observability';
import type { Logger } from 'pino';
import { Placeholders } from './placeholder.js';
import type { PlaceholderRef } from './placeholder.js';

/** Maximum number of concurrent edits. Requests need the database, too. */
const MAX_AT_ONCE = 4;
const TURNS = 'edits';
/**
 * Node.js fires timers up to this long before their time. An edit that is not due yet would be left
 * to a worker.
 */
const EARLY_MS = 1;

/**
 * Edits placeholders when due, in the process that took the change. The due time is also in the
 * run's row, so that a worker finds the edits of a crashed process.
 */
@Injectable()
export class PlaceholderEdits implements BeforeApplicationShutdown {
  private readonly timers = new Map<string, { timer: NodeJS.Timeout; at: number }>();
  /** Runs whose edit waits for its turn. It also covers changes that become due in the meantime. */
  private readonly waiting = new Set<string>();
  /** Runs whose edit is under way, and whether another one has become due since it began. */
  private readonly editing = new Map<string, boolean>();
  private readonly turns = new KeyedSemaphore(MAX_AT_ONCE);
  private readonly underWay = new Set<Promise<void>>();
  private isEnding = false;

  constructor(
    private readonly placeholders: Placeholders,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Schedules an edit of the run's placeholder in this many milliseconds, or earlier if one is
   * already scheduled. Uses one timer per run.
   */
  schedule(run: PlaceholderRef, inMs: number): void {
    if (this.isEnding) return;
    const { spaceId, id, messageId } = run;
    const at = performance.now() + inMs;
    const known = this.timers.get(id);
    if (known && known.at <= at) return;
    clearTimeout(known?.timer);
    const timer = setTimeout(() => {
      this.timers.delete(id);
      if (!this.waiting.has(id)) this.editInTurn({ spaceId, id, messageId });
    }, inMs + EARLY_MS);
    this.timers.set(id, { timer, at });
  }

  /**
   * Makes an edit that is due before it resolves, if it need not wait for other edits. Schedules it
   * otherwise. Under load, edits therefore combine more pieces instead of delaying all of them.
   */
  async editOrSchedule(run: PlaceholderRef, inMs: number): Promise<void> {
    const release = inMs > 0 ? undefined : this.turns.tryAcquire(TURNS);
    if (!release) return this.schedule(run, inMs);
    await this.edit(run).finally(release);
  }

  private editInTurn(run: PlaceholderRef): void {
    this.waiting.add(run.id);
    const edit = this.turns
      .run(TURNS, () => {
        this.waiting.delete(run.id);
        return this.edit(run);
      })
      .finally(() => this.underWay.delete(edit));
    this.underWay.add(edit);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    for (const { timer } of this.timers.values()) clearTimeout(timer);
    await Promise.all(this.underWay);
  }

  /**
   * Makes an edit before it resolves, if it is due. If one of the same run is under way, the next
   * one comes after the spacing. An edit that fails is left to a worker.
   */
  async edit(run: PlaceholderRef): Promise<void> {
    if (this.isEnding) return;
    if (this.editing.has(run.id)) return void this.editing.set(run.id, true);
    this.editing.set(run.id, false);
    const nextInMs = await this.placeholders.editIfDue(run).catch((error: unknown) => {
      const where = { part: 'agent-runs', run: run.id, err: error };
      this.logger.warn(where, 'a placeholder could not be edited');
      return undefined;
    });
    const isDueAgain = this.editing.get(run.id) === true;
    this.editing.delete(run.id);
    if (nextInMs !== undefined || isDueAgain) this.schedule(run, nextInMs ?? 0);
  }
}
