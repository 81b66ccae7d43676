import { Inject, Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { EditMessage } from '@tieline/conversations';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { LOGGER } from '@tieline/platform/observability';
import type { Logger } from 'pino';
import { toRun } from '../agent-run.queries.js';
import { FIND_OVERDUE_EDITS, LOCK_EDIT_DUE } from '../agent-runs.statements.js';
import { AgentRun } from '../agent-run.entity.js';
import { eachInBatches } from './each-in-batches.js';
import type { BatchPosition } from './each-in-batches.js';
import { editPlaceholder } from './placeholder.js';

/** Time that the process which took the change has to make the edit before a worker does. */
const GRACE_MS = 300;

/** Identifies a run. */
export type RunRef = Pick<AgentRun, 'spaceId' | 'id'>;

/**
 * Records the edit. Call it after the edit, so that the interval counts from the edit itself. The
 * caller holds the run's row lock.
 */
export async function markEdited(tx: Tx, { spaceId, id }: RunRef): Promise<void> {
  const shown = { editDueAt: null, editedAt: () => 'clock_timestamp()' };
  await tx.manager.update(AgentRun, { spaceId, id }, shown);
}

/** Edits the placeholder of a run if an edit is due and no other process has made it. */
export async function editIfDue(db: Db, editMessage: EditMessage, { spaceId, id }: RunRef): Promise<void> {
  await runInTx(
    db,
    async (tx) => {
      const [row] = await tx.query(LOCK_EDIT_DUE, [spaceId, id]);
      if (!row) return;
      await editPlaceholder(tx, editMessage, toRun(row));
      await markEdited(tx, row);
    },
    { spaceId, place: id },
  );
}

/**
 * Edits overdue placeholders of processes that were killed.
 *
 * @returns the errors of failed edits
 */
export function editOverdue(db: Db, editMessage: EditMessage): Promise<unknown[]> {
  const find = (after: BatchPosition | undefined, limit: number): Promise<(BatchPosition & RunRef)[]> =>
    db.query(FIND_OVERDUE_EDITS, [GRACE_MS, after?.at ?? null, after?.id ?? null, limit]);
  return eachInBatches(find, (run) => editIfDue(db, editMessage, run));
}

/** Maximum number of concurrent edits. Requests need the database, too. */
const MAX_AT_ONCE = 4;

/**
 * Edits placeholders when due, in the process that took the change. The due time is also in the
 * run's row, so that a worker finds the edits of a crashed process.
 */
@Injectable()
export class PlaceholderEdits implements BeforeApplicationShutdown {
  private readonly timers = new Map<string, { timer: NodeJS.Timeout; at: number }>();
  private readonly waiting: RunRef[] = [];
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly db: Db,
    private readonly editMessage: EditMessage,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Schedules an edit of the run's placeholder in this many milliseconds, or earlier if one is
   * already scheduled. Uses one timer per run.
   */
  schedule({ spaceId, id }: RunRef, inMs: number): void {
    const at = performance.now() + inMs;
    const known = this.timers.get(id);
    if (known && known.at <= at) return;
    clearTimeout(known?.timer);
    const timer = setTimeout(() => {
      this.timers.delete(id);
      this.waiting.push({ spaceId, id });
      this.next();
    }, inMs);
    this.timers.set(id, { timer, at });
  }

  async beforeApplicationShutdown(): Promise<void> {
    for (const { timer } of this.timers.values()) clearTimeout(timer);
    this.waiting.length = 0;
    await Promise.all(this.underWay);
  }

  private next(): void {
    if (this.underWay.size >= MAX_AT_ONCE) return;
    const run = this.waiting.shift();
    if (!run) return;
    const edit = editIfDue(this.db, this.editMessage, run)
      .catch((error: unknown) =>
        this.logger.warn(
          { part: 'agent-runs', run: run.id, err: error },
          'a placeholder could not be edited',
        ),
      )
      .finally(() => {
        this.underWay.delete(edit);
        this.next();
      });
    this.underWay.add(edit);
  }
}
