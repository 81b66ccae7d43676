import type { CommandModals } from '@tieline/interactive';
import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { lockTrigger } from '../../triggers/slash-triggers.js';
import type { IssuedTrigger } from '../../triggers/slash-triggers.js';

type Opened = Awaited<ReturnType<CommandModals['open']>>;

/**
 * Opens the modal that a command was answered with (decisions, section 11.5). Its trigger stays as it is: the bot may still answer by it.
 * @returns undefined when the bot was switched off meanwhile
 */
export async function openCommandModal(
  db: Db,
  modals: CommandModals,
  { command, payload }: IssuedTrigger,
  modal: Opened['modal'],
): Promise<Opened | undefined> {
  const {
    space_id: spaceId,
    user_id: userId,
    conversation_id: conversationId,
    trigger_id: triggerId,
  } = payload;
  return runInTx(db, async (tx) => {
    const trigger = await lockTrigger(tx, spaceId, triggerId);
    if (!trigger?.botIsActive) return undefined;
    const { botId, id: commandId } = command;
    const threadId = payload.thread_id ?? null;
    const place = { spaceId, botId, userId, conversationId, threadId, actionId: payload.command };
    return modals.open(tx, { ...place, triggerId, commandId }, modal);
  });
}
