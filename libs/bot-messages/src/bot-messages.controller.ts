import { Body, Controller, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BotRates } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  BotApi,
  Caller,
  documentError,
  documentErrors,
  ErrorShape,
  HasOwnRate,
  HeaderText,
  RequiresScope,
  UuidParam,
} from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { idempotencyKeyOf } from '@tieline/idempotency';
import { conversationOfMessage } from './bot-messages.queries.js';
import { EditBotMessageDto, SendBotMessageDto } from './dto/message.dto.js';
import { EditBotMessage } from './edit-bot-message.js';
import { repeatLookup } from './in-tx-once.js';
import { parseMessageText, parseNewMessage, parseSlashReply } from './dto/message-body.js';
import { ReplyToSlash } from './replies/reply-to-slash.js';
import { SendBotMessage } from './send-bot-message.js';
import type { SentMessage } from './send-bot-message.js';
import { EditedMessageAnswer, sentMessageAnswer, SentMessageAnswer } from './sent-message.view.js';

/** Error text of a 500. */
const NOT_SENT = 'failed to send message';

/** Messages of bots (docs/bots.md#send-a-message). */
@Controller('api/v1/bot/messages')
@BotApi()
@RequiresScope('messages:write')
@HasOwnRate()
@ErrorShape('standard', { internal: NOT_SENT })
@documentError('standard', 500, {
  description: 'internal error; retry with backoff',
  text: NOT_SENT,
  code: 'internal_error',
})
@ApiTags('bot: messages')
export class BotMessagesController {
  constructor(
    private readonly db: Db,
    private readonly rates: BotRates,
    private readonly sendMessage: SendBotMessage,
    private readonly replyToSlash: ReplyToSlash,
    private readonly editMessage: EditBotMessage,
  ) {}

  /**
   * Sends a message to a channel, thread or DM that the bot is a member of. With
   * `X-Service-Trigger-Id` it is the final answer to a slash command and is posted where the
   * command was given. With `Idempotency-Key`, a repeat within 24 hours returns the first result; a
   * different body with the same key gets 409.
   */
  @Post()
  @ApiOperation({
    operationId: 'sendMessage',
    summary: 'Sends a message to a channel, thread or DM, or answers a slash command',
  })
  @HttpCode(200)
  @ApiBody({ type: SendBotMessageDto })
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'A-Z a-z 0-9 . _ : - and at most 128 characters',
  })
  @ApiHeader({ name: 'X-Service-Trigger-Id', required: false, description: 'answers a slash command' })
  @Answers(SentMessageAnswer)
  @documentErrors(400, 403, 404, 409, 410, 413, 429, 503)
  async create(
    @Caller() bot: BotPrincipal,
    @Body() body: object,
    @HeaderText('idempotency-key') header?: string,
    @HeaderText('x-service-trigger-id') triggerId?: string,
  ): Promise<SentMessageAnswer> {
    return sentMessageAnswer(
      await (triggerId === undefined
        ? this.send(bot, body, header)
        : this.reply(bot, body, triggerId, header)),
    );
  }

  /**
   * Replaces text and metadata of the bot's own message. Omitting `metadata_json` clears the
   * metadata. Files stay.
   */
  @Patch(':message_id')
  @ApiOperation({
    operationId: 'editMessage',
    summary: "Replaces text and metadata of the bot's own message",
  })
  @ApiBody({ type: EditBotMessageDto })
  @Answers(EditedMessageAnswer)
  @documentErrors(400, 403, 404, 409, 410, 413, 429, 503)
  async update(
    @Caller() bot: BotPrincipal,
    @UuidParam('message_id') messageId: string,
    @Body() body: object,
  ): Promise<EditedMessageAnswer> {
    const text = parseMessageText(body);
    const conversationId = await conversationOfMessage(this.db, bot, messageId);
    await this.rates.message(bot, conversationId, () => this.editMessage.run(bot, messageId, text));
    return { ok: true, message_id: messageId };
  }

  private send(bot: BotPrincipal, body: object, header: string | undefined): Promise<SentMessage> {
    const message = parseNewMessage(body);
    const key = idempotencyKeyOf(header, undefined);
    return this.rates.message(
      bot,
      message.conversationId,
      () => this.sendMessage.run(bot, message, key),
      repeatLookup(this.db, bot, { operation: 'send', key, meaning: message }),
    );
  }

  /** Only the write rate applies, because the request names no conversation. */
  private reply(
    bot: BotPrincipal,
    body: object,
    triggerId: string,
    header: string | undefined,
  ): Promise<SentMessage> {
    const reply = { triggerId, text: parseSlashReply(body) };
    const key = idempotencyKeyOf(header, undefined);
    return this.rates.write(
      bot,
      () => this.replyToSlash.run(bot, reply, key),
      repeatLookup(this.db, bot, { operation: 'send', key, meaning: reply }),
    );
  }
}
