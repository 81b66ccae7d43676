import type { EditMessage } from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import type { AgentRun } from '../agent-run.entity.js';
import { statusText } from '../states/agent-run.states.js';
import { envelopeOf } from '../agent-run.view.js';

/** Minimum interval between two edits, except the final one. */
export const EDIT_SPACING_MS = 200;

/**
 * Minimum interval between two edits of a text that grows by `append`:
 * docs/agent-runs.md#append-text.
 */
export const APPEND_SPACING_MS = 1000;

/**
 * Returns the visible text: the bot's text, else the initial content, else the text of the status.
 */
export function shownText(run: Pick<AgentRun, 'publicText' | 'content' | 'status'>): string {
  return (run.publicText.trim() && run.publicText) || run.content || statusText(run.status);
}

/**
 * Edits the placeholder to show the current run. The caller holds the run's row lock; locks the
 * conversation.
 *
 * @param hasOtherFiles whether files were attached in the same transaction
 * @returns false if the message was deleted; the run continues without it
 */
export async function editPlaceholder(
  tx: Tx,
  editMessage: EditMessage,
  run: AgentRun,
  { hasOtherFiles = false } = {},
): Promise<boolean> {
  const answer = await editMessage.in(tx, {
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
