import { Injectable } from '@nestjs/common';
import { EditMessage, lockConversationOfMessage } from '@tieline/conversations';
import type { Conversation, MessageEdit } from '@tieline/conversations';
import { Db, runInTx, together } from '@tieline/platform/database';
import type { Queryable, Tx } from '@tieline/platform/database';
import type { AgentRun } from '../agent-run.entity.js';
import { toRun } from '../agent-run.queries.js';
import { envelopeOf } from '../agent-run.view.js';
import { statusText } from '../states/agent-run.states.js';
import { eachInBatches } from './each-in-batches.js';
import type { BatchPosition } from './each-in-batches.js';
import {
  FIND_EDIT_DUE,
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

/** Edits placeholders of runs. */
@Injectable()
export class Placeholders {
  constructor(
    private readonly db: Db,
    private readonly editMessage: EditMessage,
  ) {}

  /**
   * Edits the placeholder to show the current run. Locks the conversation. The caller holds its
   * lock or the run's row lock.
   *
   * @param hasOtherFiles whether files were attached in the same transaction
   * @param conversation of the placeholder, if the caller has locked it
   * @returns false if the message was deleted. The run continues without it.
   */
  async edit(
    tx: Tx,
    run: AgentRun,
    { hasOtherFiles = false, conversation }: { hasOtherFiles?: boolean; conversation?: Conversation } = {},
  ): Promise<boolean> {
    const edit: MessageEdit = {
      spaceId: run.spaceId,
      messageId: run.messageId,
      editor: { id: run.botId, type: 'bot' },
      text: shownText(run),
      metadataJson: envelopeOf(run),
      access: 'granted',
      hasOtherFiles,
    };
    const answer = await this.editMessage.in(tx, edit, conversation);
    if (!('refused' in answer)) return true;
    if (answer.refused === 'deleted') return false;
    throw new Error(`a placeholder could not be edited: ${answer.refused}`);
  }

  /**
   * Edits the placeholder of a run if an edit is due and no other process has made it. Waits for
   * the conversation without a lock on the run, so that no update or stop of the run waits for
   * an edit. An end edits the message under the same lock of the conversation, so an edit that
   * comes after it finds the run ended.
   *
   * @returns in how many milliseconds another edit is due, if the run changed during this one
   */
  async editIfDue({ spaceId, id, messageId }: PlaceholderRef): Promise<number | undefined> {
    const edited = await runInTx(
      this.db,
      async (tx) => {
        const [conversation, [row]] = await together(
          lockConversationOfMessage(tx, spaceId, messageId),
          tx.query(FIND_EDIT_DUE, [spaceId, id]),
        );
        if (!row) return undefined;
        const run = toRun(row);
        await this.edit(tx, run, { conversation });
        // An end that holds the run waits for the conversation, so this must not wait for the run.
        return { run, marked: await markEdited(tx, run, MARK_EDITED_IF_FREE) };
      },
      // Not the place of updates: they do not wait for the conversation.
      { spaceId, place: `edit ${id}` },
    );
    if (!edited) return undefined;
    return (edited.marked ?? (await markEdited(this.db, edited.run)))?.editInMs ?? undefined;
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
      this.db.query(FIND_OVERDUE_EDITS, {
        age: GRACE_MS,
        afterAt: after?.at ?? null,
        afterId: after?.id ?? null,
        limit,
      });
    return eachInBatches(find, async (run) => void (await this.editIfDue(run)));
  }
}

/**
 * Records that an edit shows `run`. Call it after the edit, so that the interval counts from the
 * edit itself.
 *
 * @returns undefined if it recorded nothing. Otherwise in how many milliseconds another edit is
 * due, if the run has changed since.
 */
export async function markEdited(
  q: Queryable,
  { spaceId, id, sequence, stopRequestedAt }: AgentRun,
  statement: typeof MARK_EDITED = MARK_EDITED,
): Promise<{ editInMs: number | null } | undefined> {
  const [marked] = await q.query(statement, {
    spaceId,
    id,
    sequence,
    showsStop: stopRequestedAt !== null,
    spacingMs: EDIT_SPACING_MS,
    appendSpacingMs: APPEND_SPACING_MS,
  });
  return marked;
}
