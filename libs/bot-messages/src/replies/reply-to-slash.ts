import { CommitUnknown } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { useTrigger } from '@tieline/slash';
import { v7 as uuidv7 } from 'uuid';
import { inTxOnce } from '../in-tx-once.js';
import type { BotMessageText } from '../dto/message-body.js';
import { requirePosted } from '../send-bot-message.js';
import type { MessageParts, SentMessage } from '../send-bot-message.js';

/** The final answer to a slash command. */
export interface SlashReply {
  triggerId: string;
  text: BotMessageText;
}

type ReplyParts = Pick<MessageParts, 'createMessage' | 'postMessage' | 'signer'>;

/**
 * Posts the final answer to a slash command where the command was given, and consumes its trigger.
 * The trigger grants access: the bot does not have to be a member.
 * @throws 404 unknown trigger; 403 another bot's, archived; 410 expired or used; 400 interactive
 * blocks that cannot be delivered
 */
export async function replyToSlash(
  db: Db,
  parts: ReplyParts,
  bot: BotPrincipal,
  reply: SlashReply,
  key: string | undefined,
): Promise<SentMessage> {
  const messageId = uuidv7();
  const write = async (tx: Tx): Promise<SentMessage> => {
    await post(tx, parts, bot, reply, messageId);
    return { messageId };
  };
  const request = { operation: 'send', key, meaning: reply } as const;
  return inTxOnce(db, bot, request, write, reply.triggerId).catch(async (error: unknown) => {
    if (!(error instanceof CommitUnknown)) throw error;
    if (await parts.postMessage.isStored(bot.spaceId, messageId)) return { messageId };
    throw error;
  });
}

async function post(
  tx: Tx,
  { createMessage, signer }: ReplyParts,
  bot: BotPrincipal,
  { triggerId, text: { content, metadata } }: SlashReply,
  messageId: string,
): Promise<void> {
  const { conversationId, threadId } = await useTrigger(tx, bot, triggerId, messageId);
  const metadataJson = metadata && (await signer.sign(tx, bot, metadata));
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
  requirePosted(await createMessage.in(tx, message));
}
