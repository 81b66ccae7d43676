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
import type { Found } from './each-in-batches.js';
import { editPlaceholder } from './placeholder.js';

/** How long an edit is left to the process that took the change. */
const GRACE_MS = 300;

/** Which run. */
export type RunRef = Pick<AgentRun, 'spaceId' | 'id'>;

/**
 * The placeholder shows the run as it is now. After the edit and not before it: so the next one
 * keeps its distance to this one. The caller holds the run's row lock.
 */
export async function markEdited(tx: Tx, { spaceId, id }: RunRef): Promise<void> {
  const shown = { editDueAt: null, editedAt: () => 'clock_timestamp()' };
  await tx.manager.update(AgentRun, { spaceId, id }, shown);
}

/** Edits the placeholder of a run, if that is due and nobody else has done it. */
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
 * Edits the placeholders that are overdue: those of processes that were killed.
 * @returns the errors of those that could not be edited
 */
export function editOverdue(db: Db, editMessage: EditMessage): Promise<unknown[]> {
  const find = (after: Found | undefined, limit: number): Promise<(Found & RunRef)[]> =>
    db.query(FIND_OVERDUE_EDITS, [GRACE_MS, after?.at ?? null, after?.id ?? null, limit]);
  return eachInBatches(find, (run) => editIfDue(db, editMessage, run));
}

/** Edits that run at once at most; requests need the database too. */
const MAX_AT_ONCE = 4;

/**
 * Edits placeholders when they are due, in the process that took the change. The runs' rows say
 * what is due, so that a worker finds the edits of a process that was killed.
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
   * Edits the run's placeholder in this many milliseconds, or when it was to be edited before; one
   * timer per run.
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
