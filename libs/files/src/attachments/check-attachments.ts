import { Injectable } from '@nestjs/common';
import { EditMessage, lockConversationOfMessage } from '@tieline/conversations';
import type { Actor } from '@tieline/conversations';
import { Db, runInTx } from '@tieline/platform/database';
import type { RowOf } from '@tieline/platform/database';
import { FileStorage } from '@tieline/storage';
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

/** Returns the author of the message, in whose name it is edited. */
function senderOf({ botId, userId }: RowOf<typeof SETTLE_PENDING>): Actor {
  if (botId !== null) return { id: botId, type: 'bot' };
  if (userId !== null) return { id: userId, type: 'user' };
  throw new Error('attachments without an owner');
}

/** Settles pending attachments of messages. */
@Injectable()
export class CheckAttachments {
  constructor(
    private readonly db: Db,
    private readonly storage: FileStorage,
    private readonly editMessage: EditMessage,
  ) {}

  /**
   * Checks storage for the files of messages that are `pending` and due. If all are present, the
   * message becomes `attached`. If one is missing, or storage has not answered for 24 hours, it
   * becomes `failed` and loses its files. Both append a MESSAGE_UPDATED
   * (docs/files.md#attachment-status).
   */
  async run(): Promise<CheckResult> {
    const due = await this.db.query(CLAIM_PENDING, [BATCH]);
    const result = { attached: 0, failed: 0, postponed: 0 };
    const waiting: PendingMessage[] = [];
    for (let from = 0; from < due.length; from += CONCURRENCY) {
      const some = due.slice(from, from + CONCURRENCY);
      // If storage does not answer, the rest of the batch is checked only if it is overdue.
      const checked = waiting.length > 0 ? some.filter(({ isOverdue }) => isOverdue) : some;
      const verdicts = await Promise.all(checked.map((message) => this.checkStorage(message)));
      for (const [n, message] of checked.entries()) {
        const verdict = verdicts[n];
        if (verdict === 'attached' || verdict === 'failed')
          result[verdict] += await this.settle(message, verdict);
        else waiting.push(message);
      }
      waiting.push(...some.filter((message) => !checked.includes(message)));
    }
    result.postponed = waiting.length;
    if (waiting.length > 0)
      await this.db.query(CHECK_AGAIN, [
        waiting.map(({ spaceId }) => spaceId),
        waiting.map(({ messageId }) => messageId),
      ]);
    return result;
  }

  private async checkStorage({ spaceId, messageId, isOverdue }: PendingMessage): Promise<Verdict> {
    const files = await this.db.query(FILES_OF_MESSAGES, [spaceId, [messageId]]);
    const presence = await Promise.all(
      files.map((file) => checkPresence(this.storage, file, STORE_TIMEOUT_MS)),
    );
    if (presence.includes('missing')) return 'failed';
    if (!presence.includes('undecided')) return 'attached';
    return isOverdue ? 'failed' : 'again';
  }

  /** @returns 1, or 0 if the message was deleted or settled in between */
  private async settle(
    { spaceId, messageId }: PendingMessage,
    status: 'attached' | 'failed',
  ): Promise<number> {
    return runInTx(
      this.db,
      async (tx) => {
        // Locks the conversation first, as all writers of messages do, so that no deletion can
        // happen in between.
        await lockConversationOfMessage(tx, spaceId, messageId);
        const [pending] = await tx.query(SETTLE_PENDING, [spaceId, messageId, status]);
        if (!pending) return 0;
        if (status === 'failed') await dropFilesOfMessage(tx, spaceId, messageId);
        const editor = senderOf(pending);
        await this.editMessage.in(tx, { spaceId, messageId, editor, access: 'granted', hasOtherFiles: true });
        return 1;
      },
      { spaceId, place: messageId },
    );
  }
}
