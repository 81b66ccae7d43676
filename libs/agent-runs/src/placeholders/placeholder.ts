import type { EditMessage } from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import type { AgentRun } from '../agent-run.entity.js';
import { statusText } from '../states/agent-run.states.js';
import { envelopeOf } from '../agent-run.view.js';

/**
 * The least time between two edits before the last one (contract: non-terminal updates may come
 * with a short delay).
 */
export const EDIT_SPACING_MS = 200;

/** The same where texts grow by appending (decisions, section 11.4). */
export const APPEND_SPACING_MS = 1000;

/** What people read: the bot's text, else what it began with, else the text of the status. */
export function shownText(run: Pick<AgentRun, 'publicText' | 'content' | 'status'>): string {
  return (run.publicText.trim() && run.publicText) || run.content || statusText(run.status);
}

/**
 * Makes the placeholder show the run as it is. The caller holds the run's row lock; takes the
 * conversation's.
 * @param hasOtherFiles whether files were attached in the same transaction
 * @returns false when somebody deleted the message: the run goes on without it
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
