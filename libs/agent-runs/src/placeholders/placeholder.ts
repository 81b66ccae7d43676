import { Injectable } from '@nestjs/common';
import { EditMessage } from '@tieline/conversations';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import type { AgentRun } from '../agent-run.entity.js';
import { toRun } from '../agent-run.queries.js';
import { envelopeOf } from '../agent-run.view.js';
import { statusText } from '../states/agent-run.states.js';
import { eachInBatches } from './each-in-batches.js';
import type { BatchPosition } from './each-in-batches.js';
import { FIND_OVERDUE_EDITS, LOCK_EDIT_DUE, MARK_EDITED } from './placeholders.statements.js';

/** Minimum interval between two edits, except the final one. */
export const EDIT_SPACING_MS = 200;

/**
 * Minimum interval between two edits of a text that grows by `append`:
 * docs/agent-runs.md#append-text.
 */
export const APPEND_SPACING_MS = 1000;

/** Time that the process which took the change has to make the edit before a worker does. */
export const GRACE_MS = 300;

/** Identifies a run. */
export type RunRef = Pick<AgentRun, 'spaceId' | 'id'>;

/**
 * Returns the visible text: the bot's text, else the initial content, else the text of the status.
 */
export function shownText(run: Pick<AgentRun, 'publicText' | 'content' | 'status'>): string {
  return (run.publicText.trim() && run.publicText) || run.content || statusText(run.status);
}

/** Edits placeholders of runs. */
@Injectable()
export class Placeholders {
  constructor(
    private readonly db: Db,
    private readonly editMessage: EditMessage,
  ) {}

  /**
   * Edits the placeholder to show the current run. The caller holds the run's row lock; locks the
   * conversation.
   *
   * @param hasOtherFiles whether files were attached in the same transaction
   * @returns false if the message was deleted. The run continues without it.
   */
  async edit(tx: Tx, run: AgentRun, { hasOtherFiles = false } = {}): Promise<boolean> {
    const answer = await this.editMessage.in(tx, {
      spaceId: run.spaceId,
      messageId: run.messageId,
      editor: { id: run.botId, type: 'bot' },
      text: shownText(run),
      metadataJson: envelopeOf(run),
      access: 'granted',
      hasOtherFiles,
    });
    if (!('refused' in answer)) return true;
    if (answer.refused === 'deleted') return false;
    throw new Error(`a placeholder could not be edited: ${answer.refused}`);
  }

  /** Edits the placeholder of a run if an edit is due and no other process has made it. */
  async editIfDue({ spaceId, id }: RunRef): Promise<void> {
    await runInTx(
      this.db,
      async (tx) => {
        const [row] = await tx.query(LOCK_EDIT_DUE, [spaceId, id]);
        if (!row) return;
        await this.edit(tx, toRun(row));
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
  editOverdue(): Promise<unknown[]> {
    const find = (after: BatchPosition | undefined, limit: number): Promise<(BatchPosition & RunRef)[]> =>
      this.db.query(FIND_OVERDUE_EDITS, {
        age: GRACE_MS,
        afterAt: after?.at ?? null,
        afterId: after?.id ?? null,
        limit,
      });
    return eachInBatches(find, (run) => this.editIfDue(run));
  }
}

/**
 * Records the edit. Call it after the edit, so that the interval counts from the edit itself. The
 * caller holds the run's row lock.
 */
export async function markEdited(tx: Tx, { spaceId, id }: RunRef): Promise<void> {
  await tx.query(MARK_EDITED, [spaceId, id]);
}
