import { Injectable } from '@nestjs/common';
import { EditMessage, lockConversationOfMessage } from '@tieline/conversations';
import type { MessageEdit } from '@tieline/conversations';
import { Db, runInTx, together, unprepared } from '@tieline/platform/database';
import type { Queryable, Tx } from '@tieline/platform/database';
import type { AgentRun } from '../agent-run.entity.js';
import { toRun } from '../agent-run.queries.js';
import { envelopeOf } from '../agent-run.view.js';
import { statusText } from '../states/agent-run.states.js';
import { eachInBatches } from './each-in-batches.js';
import type { BatchPosition } from './each-in-batches.js';
import {
  FIND_EDITS_DUE,
  FIND_OVERDUE_EDITS,
  MARK_EDITED,
  MARK_EDITED_IF_FREE,
} from './placeholders.statements.js';

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

/** Identifies a run and its placeholder. */
export type PlaceholderRef = RunRef & Pick<AgentRun, 'messageId'>;

/**
 * Returns the visible text: the bot's text, else the initial content, else the text of the status.
 */
export function shownText(run: Pick<AgentRun, 'publicText' | 'content' | 'status'>): string {
  return (run.publicText.trim() && run.publicText) || run.content || statusText(run.status);
}

/** A message cannot be edited, for a reason that only concerns this message. */
export class NotEditable extends Error {
  constructor(reason: string) {
    super(`a placeholder could not be edited: ${reason}`);
  }
}

/** Edits placeholders of runs. */
@Injectable()
export class Placeholders {
  constructor(
    private readonly db: Db,
    private readonly editMessage: EditMessage,
  ) {}

  /**
   * Edits the placeholder to show the current run. Locks the conversation. The caller holds the
   * run's row lock.
   *
   * @param hasOtherFiles whether files were attached in the same transaction
   * @returns false if the message was deleted. The run continues without it.
   */
  async edit(tx: Tx, run: AgentRun, hasOtherFiles: boolean): Promise<boolean> {
    return isEdited(await this.editMessage.in(tx, { ...editOf(run), hasOtherFiles }));
  }

  /**
   * Edits those of the placeholders that are due for an edit and that no other process has edited.
   * Waits for the conversation without a lock on a run, so that no update or stop of a run waits
   * for an edit. An end edits the message under the same lock of the conversation, so an edit that
   * comes after it finds the run ended.
   *
   * @param placeholders of one conversation.
   * @returns for each run that changed during its edit, in how many milliseconds the next one is
   * due.
   * @throws NotEditable; then none was edited.
   */
  async editIfDue(
    placeholders: readonly [PlaceholderRef, ...PlaceholderRef[]],
  ): Promise<Map<string, number>> {
    const [{ spaceId, id, messageId }] = placeholders;
    const { runs, marked } = await runInTx(
      this.db,
      async (tx) => {
        const [conversation, rows] = await together(
          lockConversationOfMessage(tx, spaceId, messageId),
          tx.query(FIND_EDITS_DUE, [spaceId, placeholders.map((one) => one.id)]),
        );
        const due = rows.map(toRun);
        if (due.length === 0) return { runs: due, marked: new Map<string, number | null>() };
        if (!conversation) throw new NotEditable('unknown_message');
        (await this.editMessage.all(tx, conversation, due.map(editOf))).forEach(isEdited);
        // An end that holds a run waits for the conversation, so this must not wait for the run.
        return { runs: due, marked: await markEdited(tx, due, MARK_EDITED_IF_FREE) };
      },
      // Not the place of updates: they do not wait for the conversation.
      { spaceId, place: `edit ${id}` },
    );
    const next = new Map<string, number>();
    for (const run of runs) {
      const editInMs = marked.has(run.id)
        ? marked.get(run.id)
        : (await markEdited(this.db, [run])).get(run.id);
      if (typeof editInMs === 'number') next.set(run.id, editInMs);
    }
    return next;
  }

  /**
   * Edits overdue placeholders of processes that were killed.
   *
   * @returns the errors of failed edits
   */
  editOverdue(): Promise<unknown[]> {
    const find = (
      after: BatchPosition | undefined,
      limit: number,
    ): Promise<(BatchPosition & PlaceholderRef)[]> =>
      this.db.query(unprepared(FIND_OVERDUE_EDITS), {
        age: GRACE_MS,
        afterAt: after?.at ?? null,
        afterId: after?.id ?? null,
        limit,
      });
    return eachInBatches(find, async (run) => void (await this.editIfDue([run])));
  }
}

function editOf(run: AgentRun): MessageEdit {
  return {
    spaceId: run.spaceId,
    messageId: run.messageId,
    editor: { id: run.botId, type: 'bot' },
    text: shownText(run),
    metadataJson: envelopeOf(run),
    access: 'granted',
  };
}

/** @returns false if the message was deleted @throws NotEditable */
function isEdited(answer: Awaited<ReturnType<EditMessage['in']>>): boolean {
  if (!('refused' in answer)) return true;
  if (answer.refused === 'deleted') return false;
  throw new NotEditable(answer.refused);
}

/**
 * Records that edits show `runs`, all of one space. Call it after the edits, so that the interval
 * counts from the edit itself.
 *
 * @returns for each run that it recorded, in how many milliseconds another edit is due. null if the
 * run has not changed since.
 */
export async function markEdited(
  q: Queryable,
  runs: readonly AgentRun[],
  statement: typeof MARK_EDITED = MARK_EDITED,
): Promise<Map<string, number | null>> {
  const rows = await q.query(statement, {
    spaceId: (runs[0] as AgentRun).spaceId,
    ids: runs.map(({ id }) => id),
    sequences: runs.map(({ sequence }) => sequence),
    showsStop: runs.map(({ stopRequestedAt }) => stopRequestedAt !== null),
    spacingMs: EDIT_SPACING_MS,
    appendSpacingMs: APPEND_SPACING_MS,
  });
  return new Map(rows.map(({ id, editInMs }) => [id, editInMs]));
}
