import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BotRates } from '@tieline/conversations';
import { idempotencyKeyOf } from '@tieline/idempotency';
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
import { BLOCK_CLASSES } from '../schema/dto/actions-block.dto.js';
import { LateAnswerDto } from './dto/late-answer.dto.js';
import { requireSubject, RespondLate } from './respond-late.js';
import { ResponseTokens } from './response-tokens.js';
import { LateResponseAnswer } from './responses.view.js';

/**
 * Takes late answers of bots in every delivery mode. They count against the bot's message rate in
 * the conversation.
 */
@Controller('api/v1/bot/responses')
@BotApi()
@RequiresScope('none')
@HasOwnRate()
@ApiTags('bot: interactive components')
// OpenAPI sees `metadata_json` as a string, so its classes are registered explicitly.
@ApiExtraModels(...BLOCK_CLASSES)
export class ResponsesController {
  constructor(
    private readonly tokens: ResponseTokens,
    private readonly rates: BotRates,
    private readonly respondLate: RespondLate,
  ) {}

  /**
   * Accepts up to five answers within RESPONSE_TOKEN_TTL_SECONDS, each with exactly one of the
   * fields. The original is the clicked message, or the first message the command posted. A repeat
   * with the same `Idempotency-Key` within 24 hours gets the first answer and does not count.
   */
  @Post(':response_token')
  @ApiOperation({
    operationId: 'respondLate',
    summary: 'Answers a click, a submitted modal, a slash command or a request for options late',
  })
  @HttpCode(200)
  @ApiBody({ type: LateAnswerDto })
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'up to 128 characters of A-Z a-z 0-9 . _ : -',
  })
  @Answers(LateResponseAnswer)
  @documentErrors(400, 403, 404, 409, 410, 413, 429, 503)
  async respond(
    @Caller() bot: BotPrincipal,
    @Param('response_token') token: string,
    @Body() body: Readonly<Record<string, unknown>> | undefined,
    @HeaderText('idempotency-key') header?: string,
  ): Promise<LateResponseAnswer> {
    const subject = requireSubject(this.tokens, bot, token);
    const request = { subject, body, key: idempotencyKeyOf(header, undefined) };
    const { messageId } = await this.rates.message(
      bot,
      subject.conversationId,
      () => this.respondLate.run(bot, request),
      this.respondLate.repeatsOf(bot, request),
    );
    return { ok: true, ...(messageId !== undefined && { message_id: messageId }) };
  }
}
