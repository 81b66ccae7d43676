import { lockConversationOfMessage } from '@tieline/conversations';
import type { Actor, EditMessage } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db, RowOf } from '@tieline/platform/database';
import type { FileStorage } from '@tieline/storage';
import { dropFilesOfMessage } from '../removal/drop-files.js';
import { CHECK_AGAIN, CLAIM_PENDING, FILES_OF_MESSAGES, SETTLE_PENDING } from './attachments.statements.js';
import { checkPresence } from './object-presence.js';

const BATCH = 50;
const CONCURRENCY = 5;
/** Maximum wait for storage in milliseconds. No request waits here. */
const STORE_TIMEOUT_MS = 5000;

type PendingMessage = RowOf<typeof CLAIM_PENDING>;
type Verdict = 'attached' | 'failed' | 'again';

/** The outcome of one batch, in messages. */
export interface CheckResult {
  attached: number;
  failed: number;
  /** Checked again in 5 seconds to 5 minutes. */
  postponed: number;
}

/**
 * Checks storage for the files of messages that are `pending` and due. If all are present, the
 * message becomes `attached`. If one is missing, or storage has not answered for 24 hours, it
 * becomes `failed` and loses its files. Both append a MESSAGE_UPDATED
 * (docs/files.md#attachment-status).
 */
export async function checkAttachments(
  db: Db,
  storage: FileStorage,
  editMessage: EditMessage,
): Promise<CheckResult> {
  const due = await db.query(CLAIM_PENDING, [BATCH]);
  const result = { attached: 0, failed: 0, postponed: 0 };
  const waiting: PendingMessage[] = [];
  for (let from = 0; from < due.length; from += CONCURRENCY) {
    const some = due.slice(from, from + CONCURRENCY);
    // If storage does not answer, the rest of the batch is checked only if it is overdue.
    const checked = waiting.length > 0 ? some.filter(({ isOverdue }) => isOverdue) : some;
    const verdicts = await Promise.all(checked.map((message) => checkStorage(db, storage, message)));
    for (const [n, message] of checked.entries()) {
      const verdict = verdicts[n];
      if (verdict === 'attached' || verdict === 'failed')
        result[verdict] += await settle(db, editMessage, message, verdict);
      else waiting.push(message);
    }
    waiting.push(...some.filter((message) => !checked.includes(message)));
  }
  result.postponed = waiting.length;
  if (waiting.length > 0)
    await db.query(CHECK_AGAIN, [
      waiting.map(({ spaceId }) => spaceId),
      waiting.map(({ messageId }) => messageId),
    ]);
  return result;
}

async function checkStorage(
  db: Db,
  storage: FileStorage,
  { spaceId, messageId, isOverdue }: PendingMessage,
): Promise<Verdict> {
  const files = await db.query(FILES_OF_MESSAGES, [spaceId, [messageId]]);
  const presence = await Promise.all(files.map((file) => checkPresence(storage, file, STORE_TIMEOUT_MS)));
  if (presence.includes('missing')) return 'failed';
  if (!presence.includes('undecided')) return 'attached';
  return isOverdue ? 'failed' : 'again';
}

/** Returns the author of the message, in whose name it is edited. */
function senderOf({ botId, userId }: RowOf<typeof SETTLE_PENDING>): Actor {
  if (botId !== null) return { id: botId, type: 'bot' };
  if (userId !== null) return { id: userId, type: 'user' };
  throw new Error('attachments without an owner');
}

/** @returns 1, or 0 if the message was deleted or settled in between */
async function settle(
  db: Db,
  editMessage: EditMessage,
  { spaceId, messageId }: PendingMessage,
  status: 'attached' | 'failed',
): Promise<number> {
  return runInTx(
    db,
    async (tx) => {
      // Locks the conversation first, as all writers of messages do, so that no deletion can happen
      // in between.
      await lockConversationOfMessage(tx, spaceId, messageId);
      const [pending] = await tx.query(SETTLE_PENDING, [spaceId, messageId, status]);
      if (!pending) return 0;
      if (status === 'failed') await dropFilesOfMessage(tx, spaceId, messageId);
      await editMessage.in(tx, {
        spaceId,
        messageId,
        editor: senderOf(pending),
        access: 'granted',
        hasOtherFiles: true,
      });
      return 1;
    },
    { spaceId, place: messageId },
  );
}
