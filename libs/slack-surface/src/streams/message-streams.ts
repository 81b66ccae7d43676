import { Injectable } from '@nestjs/common';
import {
  BotRates,
  chatErrors,
  EditMessage,
  findSources,
  lockConversationOfMessage,
} from '@tieline/conversations';
import type { Message } from '@tieline/conversations';
import { Db, runInTx } from '@tieline/platform/database';
import type { Queryable, Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { SlackError } from '../dispatcher/slack-error.js';
import type { MessageContent } from '../messages/message-content.js';
import { sourceIn } from '../messages/message-source.js';
import type { StreamContent } from './stream-content.js';

/** Returns the new content of a message. @param content of the stream so far, if it is one */
type StreamChange = (content: StreamContent | undefined) => MessageContent;

/** Streams whose content is stored with their message. Every addition edits it. */
@Injectable()
export class MessageStreams {
  constructor(
    private readonly db: Db,
    private readonly rates: BotRates,
    private readonly editMessage: EditMessage,
  ) {}

  /**
   * Edits a message of the bot, with the rates of PATCH /bot/messages/{message_id}. Calls to the
   * same message wait for each other, so that none loses what another adds.
   * @throws errors of `change` and of an edit
   */
  async edit(bot: BotPrincipal, message: Message, change: StreamChange): Promise<MessageContent> {
    const { spaceId } = bot;
    const write = async (tx: Tx): Promise<MessageContent> => {
      await lockConversationOfMessage(tx, spaceId, message.id);
      const content = change(await streamOf(tx, spaceId, message.id));
      const answer = await this.editMessage.in(tx, {
        spaceId,
        messageId: message.id,
        editor: { id: bot.botId, type: 'bot' },
        text: content.content,
        metadataJson: content.metadata?.json ?? null,
        textDerived: content.textDerived,
        sourceJson: content.sourceJson,
      });
      if ('refused' in answer) throw chatErrors.botRefused(answer.refused);
      return content;
    };
    return this.rates.message(bot, message.conversationId, () =>
      runInTx(this.db, write, { spaceId, place: message.id }),
    );
  }
}

async function streamOf(q: Queryable, spaceId: string, id: string): Promise<StreamContent | undefined> {
  return sourceIn((await findSources(q, spaceId, [id])).get(id))?.stream;
}

/** The message is no stream, or it has ended. */
export const notStreaming = (): SlackError => new SlackError('message_not_in_streaming_state');
