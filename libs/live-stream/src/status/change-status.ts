import { chatAccess, chatErrors, resolveReply } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { badRequest } from '@tieline/platform/http';
import type { ApiError, BotPrincipal } from '@tieline/platform/http';
import { v7 as uuidv7 } from 'uuid';
import { appendStatusChanged } from './bot-status.js';
import type { BotStatus } from './bot-status.js';
import { CLEAR_STATUS, REPLACE_STATUS } from './status.statements.js';

/** How long a status is shown: docs/agents.md#status. */
const STATUS_SECONDS = 120;

/** The conversation in the request, and the thread in it, if any. */
export interface StatusPlace {
  conversationId: string;
  threadId: string | undefined;
}

export interface NewStatus extends StatusPlace {
  text: string;
  loadingMessages: string[];
}

const threadNotFound = (): ApiError =>
  badRequest('thread_not_found', 'message not found in this conversation', 'thread_id');

/**
 * Shows what the bot is doing, for two minutes or until its next message there. Replaces its status
 * there.
 *
 * @throws 403 the bot is not a member, archived; 400 no such message for a thread
 */
export async function setStatus(db: Db, bot: BotPrincipal, status: NewStatus): Promise<BotStatus> {
  const { spaceId, botId } = bot;
  return runInTx(
    db,
    async (tx) => {
      const place = await requirePlace(tx, bot, status);
      const { text, loadingMessages } = status;
      const values = {
        spaceId,
        botId,
        ...place,
        text,
        loadingMessages,
        id: uuidv7(),
        seconds: STATUS_SECONDS,
      };
      const [row] = await tx.query(REPLACE_STATUS, values);
      if (!row) throw new Error('a status was not stored');
      await appendStatusChanged(tx, row, false);
      return row;
    },
    { spaceId, place: status.conversationId },
  );
}

/** Removes the bot's status. Succeeds if there is none. @throws as {@link setStatus} */
export async function clearStatus(db: Db, bot: BotPrincipal, place: StatusPlace): Promise<void> {
  const { spaceId, botId } = bot;
  await runInTx(
    db,
    async (tx) => {
      const { placeId } = await requirePlace(tx, bot, place);
      const [row] = await tx.query(CLEAR_STATUS, [spaceId, placeId, botId]);
      if (row) await appendStatusChanged(tx, row, true);
    },
    { spaceId, place: place.conversationId },
  );
}

/** Returns the conversation whose members see the status, and the root message or conversation. */
async function requirePlace(
  tx: Tx,
  { spaceId, botId }: BotPrincipal,
  { conversationId, threadId }: StatusPlace,
): Promise<Pick<BotStatus, 'placeId' | 'channelId'>> {
  const author = { id: botId };
  const { conversation, refused } = await chatAccess.sending(tx, { spaceId, conversationId, author });
  if (refused) throw chatErrors.botRefused(refused);
  const { id, channelId, rootMessageId } = conversation;
  if (threadId === undefined) return { channelId, placeId: rootMessageId ?? id };
  const thread = await resolveReply(tx, spaceId, conversation, threadId);
  if (!thread) throw threadNotFound();
  return { channelId, placeId: thread.rootMessageId };
}
