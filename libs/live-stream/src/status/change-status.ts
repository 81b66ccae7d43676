import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { uuidv7 } from 'uuidv7';
import { requireBotPlace } from '../places/bot-place.js';
import type { BotPlace } from '../places/bot-place.js';
import { appendStatusChanged } from './bot-status.js';
import type { BotStatus } from './bot-status.js';
import { CLEAR_STATUS, REPLACE_STATUS } from './status.statements.js';

/** How long a status is shown: docs/agents.md#status. */
const STATUS_SECONDS = 120;

export interface NewStatus extends BotPlace {
  text: string;
  loadingMessages: string[];
}

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
      const place = await requireBotPlace(tx, bot, status);
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
export async function clearStatus(db: Db, bot: BotPrincipal, place: BotPlace): Promise<void> {
  const { spaceId, botId } = bot;
  await runInTx(
    db,
    async (tx) => {
      const { placeId } = await requireBotPlace(tx, bot, place);
      const [row] = await tx.query(CLEAR_STATUS, [spaceId, placeId, botId]);
      if (row) await appendStatusChanged(tx, row, true);
    },
    { spaceId, place: place.conversationId },
  );
}
