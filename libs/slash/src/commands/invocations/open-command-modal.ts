import type { CommandModals } from '@tieline/interactive';
import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { lockTrigger } from '../../triggers/slash-triggers.js';
import type { IssuedTrigger } from '../../triggers/slash-triggers.js';

export type OpenedModal = Awaited<ReturnType<CommandModals['open']>>;

/** The invocation that opens the modal. */
export interface ModalInvocation extends Pick<IssuedTrigger, 'payload'> {
  command: Pick<IssuedTrigger['command'], 'botId' | 'id'>;
}

/**
 * Opens the modal from a bot's answer to a command. The trigger stays unused, so the bot can still
 * answer with it.
 * @param notify notifies the waiting request, as the last step of the transaction
 * @returns undefined if the bot has been disabled
 */
export async function openCommandModal(
  db: Db,
  modals: CommandModals,
  { command, payload }: ModalInvocation,
  modal: OpenedModal['modal'],
  notify?: (tx: Tx, opened: OpenedModal) => Promise<void>,
): Promise<OpenedModal | undefined> {
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
      await notify?.(tx, opened);
      return opened;
    },
    { spaceId, place: triggerId },
  );
}
