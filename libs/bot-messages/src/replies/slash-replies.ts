import { Injectable } from '@nestjs/common';
import { createMessage } from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { useTrigger } from '@tieline/slash';
import type { BotMessageText } from '../message-body.js';
import { MessageMetadata } from '../message-metadata.js';
import { created } from '../send-bot-message.js';

/** Who knows the triggers of slash commands (contract, "Slash invocation delivery"). */
export abstract class SlashReplies {
  /**
   * Posts the final answer to a slash command where the command was given, and uses its trigger up, in the caller's
   * transaction. Membership of the bot is not needed: the trigger is the permission.
   * @returns the id of the message
   * @throws 404 unknown trigger; 403 another bot's, archived; 410 expired or used; 400 interactive blocks that cannot be delivered
   */
  abstract reply(tx: Tx, bot: BotPrincipal, triggerId: string, text: BotMessageText): Promise<string>;
}

/** Posts as the bot, into the thread of the command when it was given in one. */
@Injectable()
export class TriggerReplies extends SlashReplies {
  constructor(private readonly metadata: MessageMetadata) {
    super();
  }

  override async reply(
    tx: Tx,
    bot: BotPrincipal,
    triggerId: string,
    { content, metadata }: BotMessageText,
  ): Promise<string> {
    const { conversationId, threadId } = await useTrigger(tx, bot, triggerId);
    const metadataJson = metadata?.isInteractive
      ? await this.metadata.prepare(tx, bot, metadata)
      : metadata?.json;
    const author = { id: bot.botId, type: 'bot' } as const;
    const message = {
      spaceId: bot.spaceId,
      conversationId,
      author,
      text: content,
      parentMessageId: threadId,
      metadataJson,
      access: 'granted',
    } as const;
    return created(await createMessage(tx, message)).messageId;
  }
}
