import { Controller, Delete, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { BotRates, MessageAnswer, ShownMessages } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  BotApi,
  Caller,
  documentErrors,
  HasOwnRate,
  OkAnswer,
  RequiresScope,
  UuidParam,
} from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { conversationOfMessage } from '../bot-messages.queries.js';
import { DeleteBotMessage } from './delete-bot-message.js';

/** Reading and deleting one message (docs/bots.md#read-delete-react-and-pin). */
@Controller('api/v1/bot/messages/:message_id')
@BotApi()
@RequiresScope('messages:write')
@HasOwnRate()
@ApiTags('bot: messages')
export class MessageController {
  constructor(
    private readonly db: Db,
    private readonly rates: BotRates,
    private readonly deleteMessage: DeleteBotMessage,
    private readonly shown: ShownMessages,
  ) {}

  /**
   * Returns a message of a conversation that the bot can read, as history shows it. 410 if it was
   * deleted.
   */
  @Get()
  @RequiresScope('messages:read')
  @ApiOperation({ operationId: 'getMessage', summary: 'Gets a message' })
  @Answers(MessageAnswer)
  @documentErrors(403, 404, 410)
  async get(@Caller() bot: BotPrincipal, @UuidParam('message_id') messageId: string): Promise<MessageAnswer> {
    return { ok: true, message: await this.shown.one(this.db, bot, messageId) };
  }

  /**
   * Deletes the bot's own message. 410 if it was already deleted, 409 if it is the placeholder of a
   * running agent run.
   */
  @Delete()
  @ApiOperation({ operationId: 'deleteMessage', summary: "Deletes the bot's own message" })
  @Answers(OkAnswer)
  @documentErrors(403, 404, 409, 410, 429, 503)
  async delete(@Caller() bot: BotPrincipal, @UuidParam('message_id') messageId: string): Promise<OkAnswer> {
    const conversationId = await conversationOfMessage(this.db, bot, messageId);
    await this.rates.message(bot, conversationId, () => this.deleteMessage.run(bot, messageId));
    return { ok: true };
  }
}
