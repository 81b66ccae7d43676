import { Injectable } from '@nestjs/common';
import { CreateMessage, findMessage } from '@tieline/conversations';
import { signBuiltinMetadata } from '@tieline/interactive';
import { Db, runRepeatable } from '@tieline/platform/database';
import { SecretBox } from '@tieline/signing';
import { uuidv7 } from 'uuidv7';
import { conversationRefused } from '../../slash.errors.js';
import { pollMetadata, pollText } from './poll.view.js';
import { INSERT_POLL } from './polls.statements.js';

/** A poll to post. The creator's membership has been checked. */
export interface NewPoll {
  spaceId: string;
  creatorId: string;
  /** The conversation from the request. */
  conversationId: string;
  /** Root message, if posted in a thread. */
  threadId: string | undefined;
  question: string;
  options: string[];
}

/** Posts polls. */
@Injectable()
export class CreatePoll {
  constructor(
    private readonly db: Db,
    private readonly createMessage: CreateMessage,
    private readonly box: SecretBox,
  ) {}

  /**
   * Posts a poll with its buttons. @returns the message's id @throws 403 if the conversation has
   * been archived; 400 if the thread was deleted
   */
  async run({ spaceId, creatorId, conversationId, threadId, question, options }: NewPoll): Promise<string> {
    const messageId = uuidv7();
    const shown = { creatorId, question, options, isClosed: false };
    return runRepeatable(
      this.db,
      async (tx, isRepeat) => {
        if (isRepeat && (await findMessage(tx, spaceId, messageId))) return messageId;
        const metadata = pollMetadata(shown, []);
        const created = await this.createMessage.in(tx, {
          spaceId,
          conversationId,
          messageId,
          metadataJson: await signBuiltinMetadata(tx, this.box, { spaceId, messageId }, metadata),
          author: { id: creatorId, type: 'system' },
          text: pollText(shown, []),
          access: 'granted',
          ...(threadId !== undefined && { parentMessageId: threadId }),
        });
        if ('refused' in created) throw conversationRefused(created.refused);
        await tx.query(INSERT_POLL, { spaceId, messageId, creatorId, question, options });
        return messageId;
      },
      { spaceId, place: threadId ?? conversationId },
    );
  }
}
