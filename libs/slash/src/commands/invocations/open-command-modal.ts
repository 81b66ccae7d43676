import type { CommandModals } from '@tieline/interactive';
import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { lockTrigger } from '../../triggers/slash-triggers.js';
import type { IssuedTrigger } from '../../triggers/slash-triggers.js';

export type Opened = Awaited<ReturnType<CommandModals['open']>>;

/** The invocation that is answered. */
export interface OpenedBy extends Pick<IssuedTrigger, 'payload'> {
  command: Pick<IssuedTrigger['command'], 'botId' | 'id'>;
}

/**
 * Opens the modal that a command was answered with (decisions, section 11.5). Its trigger stays as
 * it is: the bot may still answer by it.
 * @param tell whoever waits for it, last in the transaction
 * @returns undefined when the bot was switched off meanwhile
 */
export async function openCommandModal(
  db: Db,
  modals: CommandModals,
  { command, payload }: OpenedBy,
  modal: Opened['modal'],
  tell?: (tx: Tx, opened: Opened) => Promise<void>,
): Promise<Opened | undefined> {
  const {
    space_id: spaceId,
    user_id: userId,
    conversation_id: conversationId,
    trigger_id: triggerId,
  } = payload;
  return runInTx(
    db,
    async (tx) => {
      const trigger = await lockTrigger(tx, spaceId, triggerId);
      if (!trigger?.botIsActive) return undefined;
      const { botId, id: commandId } = command;
      const threadId = payload.thread_id ?? null;
      const place = { spaceId, botId, userId, conversationId, threadId, actionId: payload.command };
      const opened = await modals.open(tx, { ...place, triggerId, commandId }, modal);
      await tell?.(tx, opened);
      return opened;
    },
    { spaceId, place: triggerId },
  );
}
