import { Injectable } from '@nestjs/common';
import { CreateMessage, PostMessage } from '@tieline/conversations';
import { ComponentSigner } from '@tieline/interactive';
import { Db } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { useTrigger } from '@tieline/slash';
import { uuidv7 } from 'uuidv7';
import { inTxOnce } from '../in-tx-once.js';
import type { BotMessageText } from '../dto/message-body.js';
import { requirePosted, requireStored } from '../send-bot-message.js';
import type { SentMessage } from '../send-bot-message.js';

/** The final answer to a slash command. */
export interface SlashReply {
  triggerId: string;
  text: BotMessageText;
}

/**
 * Posts the final answer to a slash command where the command was given, and consumes its trigger.
 * The trigger grants access: the bot does not have to be a member.
 */
@Injectable()
export class ReplyToSlash {
  constructor(
    private readonly db: Db,
    private readonly createMessage: CreateMessage,
    private readonly postMessage: PostMessage,
    private readonly signer: ComponentSigner,
  ) {}

  /**
   * @throws 404 unknown trigger; 403 another bot's, archived; 410 expired or used; 400 interactive
   * blocks that cannot be delivered
   */
  run(bot: BotPrincipal, reply: SlashReply, key: string | undefined): Promise<SentMessage> {
    const messageId = uuidv7();
    const write = (tx: Tx): Promise<SentMessage> => this.post(tx, bot, reply, messageId);
    const request = { operation: 'send', key, meaning: reply } as const;
    return inTxOnce(this.db, bot, request, write, reply.triggerId).catch((error: unknown) =>
      requireStored(this.postMessage, bot, { messageId }, error),
    );
  }

  private async post(
    tx: Tx,
    bot: BotPrincipal,
    { triggerId, text: { content, metadata } }: SlashReply,
    messageId: string,
  ): Promise<SentMessage> {
    const { conversationId, threadId } = await useTrigger(tx, bot, triggerId, messageId);
    const metadataJson = metadata && (await this.signer.sign(tx, bot, metadata));
    const message = {
      messageId,
      spaceId: bot.spaceId,
      conversationId,
      author: { id: bot.botId, type: 'bot' },
      text: content,
      parentMessageId: threadId,
      metadataJson,
      access: 'granted',
    } as const;
    requirePosted(await this.createMessage.in(tx, message));
    return { messageId };
  }
}
