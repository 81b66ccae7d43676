import { Inject, Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { KeyedSemaphore } from '@tieline/background';
import { LOGGER } from '@tieline/platform/observability';
import type { Logger } from 'pino';
import type { AgentRun } from '../agent-run.entity.js';
import { NotEditable, Placeholders } from './placeholder.js';
import type { PlaceholderRef } from './placeholder.js';

/** Maximum number of concurrent transactions. Requests need the database, too. */
const MAX_AT_ONCE = 4;
/** Maximum number of edits in one transaction, which locks their conversation. */
const MAX_TOGETHER = 50;
const TURNS = 'edits';
/**
 * Node.js fires timers up to this long before their time. An edit that is not due yet would be left
 * to a worker.
 */
const EARLY_MS = 1;

/** A placeholder and what determines its conversation. */
type PlacedRun = PlaceholderRef & Pick<AgentRun, 'conversationId' | 'parentMessageId'>;

/** Returns the same text for all placeholders of a conversation. */
const conversationOf = ({ spaceId, parentMessageId, conversationId }: PlacedRun): string =>
  `${spaceId} ${parentMessageId ?? conversationId}`;

/**
 * Edits placeholders when due, in the process that took the change. Edits of the same conversation
 * that wait for their turn share a transaction. The due time is also in the run's row, so that a
 * worker finds the edits of a crashed process.
 */
@Injectable()
export class PlaceholderEdits implements BeforeApplicationShutdown {
  private readonly timers = new Map<string, { timer: NodeJS.Timeout; at: number }>();
  /**
   * By conversation, the placeholders by run whose edit waits for its turn. It also covers changes
   * that become due in the meantime.
   */
  private readonly waiting = new Map<string, Map<string, PlacedRun>>();
  /** Runs whose edit is under way, and whether another one has become due since it began. */
  private readonly editing = new Map<string, boolean>();
  private readonly turns = new KeyedSemaphore(MAX_AT_ONCE);
  /** By conversation: a second transaction would only wait for the lock of the first one. */
  private readonly conversations = new KeyedSemaphore(1);
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
  schedule(run: PlacedRun, inMs: number): void {
    if (this.isEnding) return;
    const { spaceId, id, messageId, conversationId, parentMessageId } = run;
    const at = performance.now() + inMs;
    const known = this.timers.get(id);
    if (known && known.at <= at) return;
    clearTimeout(known?.timer);
    const timer = setTimeout(() => {
      this.timers.delete(id);
      this.editInTurn({ spaceId, id, messageId, conversationId, parentMessageId });
    }, inMs + EARLY_MS);
    this.timers.set(id, { timer, at });
  }

  /**
   * Makes an edit that is due before it resolves, if it need not wait for other edits. Schedules it
   * otherwise. Under load, edits therefore combine more pieces instead of delaying all of them.
   */
  async editOrSchedule(run: PlacedRun, inMs: number): Promise<void> {
    const release = inMs > 0 ? undefined : this.tryTurn(conversationOf(run));
    if (!release) return this.schedule(run, inMs);
    await this.edit(run).finally(release);
  }

  private tryTurn(place: string): (() => void) | undefined {
    const leave = this.conversations.tryAcquire(place);
    const release = leave && this.turns.tryAcquire(TURNS);
    if (!release) return void leave?.();
    return () => {
      release();
      leave();
    };
  }

  private editInTurn(run: PlacedRun): void {
    const place = conversationOf(run);
    const waiting = this.waiting.get(place);
    if (waiting && waiting.size < MAX_TOGETHER) return void waiting.set(run.id, run);
    const runs = new Map([[run.id, run]]);
    this.waiting.set(place, runs);
    const editAll = (): Promise<void> => {
      if (this.waiting.get(place) === runs) this.waiting.delete(place);
      return this.editTogether([...runs.values()]);
    };
    const edit = this.conversations
      .run(place, () => this.turns.run(TURNS, editAll))
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
  async edit(run: PlacedRun): Promise<void> {
    await this.editTogether([run]);
  }

  /** Edits placeholders of one conversation. If one is not editable, edits them one by one. */
  private async editTogether(runs: readonly PlacedRun[]): Promise<void> {
    if (this.isEnding) return;
    for (const { id } of runs) if (this.editing.has(id)) this.editing.set(id, true);
    const [first, ...others] = runs.filter(({ id }) => !this.editing.has(id));
    if (!first) return;
    const edited = [first, ...others] as const;
    for (const { id } of edited) this.editing.set(id, false);
    const next = await this.editIfDue(edited);
    for (const run of edited) {
      const isDueAgain = this.editing.get(run.id) === true;
      this.editing.delete(run.id);
      const nextInMs = next.get(run.id);
      if (nextInMs !== undefined || isDueAgain) this.schedule(run, nextInMs ?? 0);
    }
  }

  private async editIfDue(runs: readonly [PlacedRun, ...PlacedRun[]]): Promise<Map<string, number>> {
    try {
      return await this.placeholders.editIfDue(runs);
    } catch (error) {
      if (error instanceof NotEditable && runs.length > 1) {
        const each: Map<string, number>[] = [];
        for (const run of runs) each.push(await this.editIfDue([run]));
        return new Map(each.flatMap((next) => [...next]));
      }
      const where = { part: 'agent-runs', runs: runs.map(({ id }) => id), err: error };
      this.logger.warn(where, 'placeholders could not be edited');
      return new Map();
    }
  }
}
