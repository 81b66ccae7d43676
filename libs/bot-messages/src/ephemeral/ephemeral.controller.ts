import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BotRates } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  BotApi,
  Caller,
  documentErrors,
  HasOwnRate,
  HeaderText,
  RequiresScope,
} from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { idempotencyKeyOf } from '@tieline/idempotency';
import { repeatLookup } from '../in-tx-once.js';
import { EditedMessageAnswer } from '../sent-message.view.js';
import { EphemeralMessageDto, parseEphemeral } from './dto/ephemeral.dto.js';
import { SendEphemeral } from './send-ephemeral.js';

/**
 * Messages that only one member sees. They share the rate of messages
 * (docs/bots.md#ephemeral-messages).
 */
@Controller('api/v1/bot/messages/ephemeral')
@BotApi()
@RequiresScope('messages:write')
@HasOwnRate()
@ApiTags('bot: messages')
export class EphemeralMessagesController {
  constructor(
    private readonly db: Db,
    private readonly rates: BotRates,
    private readonly sendEphemeral: SendEphemeral,
  ) {}

  /**
   * Shows a message to one member of a conversation that the bot is a member of, on that person's
   * open streams and outside history. Its buttons work for that person until their tokens expire.
   * With `Idempotency-Key`, a repeat within 24 hours returns the first result.
   */
  @Post()
  @ApiOperation({
    operationId: 'sendEphemeralMessage',
    summary: 'Shows a message to one member of a conversation, outside history',
  })
  @HttpCode(200)
  @ApiBody({ type: EphemeralMessageDto })
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'A-Z a-z 0-9 . _ : - and at most 128 characters',
  })
  @Answers(EditedMessageAnswer)
  @documentErrors(400, 403, 409, 413, 429, 503)
  async create(
    @Caller() bot: BotPrincipal,
    @Body() body: object,
    @HeaderText('idempotency-key') header?: string,
  ): Promise<EditedMessageAnswer> {
    const message = parseEphemeral(body);
    const key = idempotencyKeyOf(header, undefined);
    const request = { operation: 'ephemeral', key, meaning: message } as const;
    const { messageId } = await this.rates.message(
      bot,
      message.conversationId,
      () => this.sendEphemeral.run(bot, message, key),
      repeatLookup(this.db, bot, request),
    );
    return { ok: true, message_id: messageId };
  }
}
