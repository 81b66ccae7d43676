import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  botMessageRule,
  BotRateSettings,
  botWriteRule,
  DeleteMessage,
  LiveEvents,
} from '@tieline/conversations';
import { idempotencyKeyOf } from '@tieline/idempotency';
import { Db } from '@tieline/platform/database';
import { Answers, BotApi, Caller, documentErrors, HeaderText, HasOwnRate } from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { charged, RateLimiter } from '@tieline/rate-limit';
import { AnswerApplier } from '../answers/answer-applier.js';
import { BLOCK_CLASSES } from '../schema/dto/actions-block.dto.js';
import { ChoiceAnswers } from '../choices/choice-answers.js';
import { LateAnswerDto } from './dto/late-answer.dto.js';
import { repeatsOfAnswer, requireSubject, respondLate } from './respond-late.js';
import { ResponseTokens } from './response-tokens.js';
import { LateResponseAnswer } from './responses.view.js';

/**
 * Takes late answers of bots in every delivery mode. They count against the bot's message rate in
 * the conversation.
 */
@Controller('api/v1/bot/responses')
@BotApi()
@HasOwnRate()
@ApiTags('bot: interactive components')
// OpenAPI sees `metadata_json` as a string, so its classes are registered explicitly.
@ApiExtraModels(...BLOCK_CLASSES)
export class ResponsesController {
  constructor(
    private readonly db: Db,
    private readonly tokens: ResponseTokens,
    private readonly rates: BotRateSettings,
    private readonly limiter: RateLimiter,
    private readonly applier: AnswerApplier,
    private readonly deleteMessage: DeleteMessage,
    private readonly live: LiveEvents,
    private readonly answers: ChoiceAnswers,
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
    const rules = [
      botMessageRule(this.rates, bot.botId, subject.conversationId),
      botWriteRule(this.rates, bot.botId),
    ];
    const { applier, deleteMessage } = this;
    const request = { subject, body, key: idempotencyKeyOf(header, undefined) };
    const { messageId, live, answeredId } = await charged(
      this.limiter,
      rules,
      () => respondLate(this.db, { applier, deleteMessage }, bot, request),
      repeatsOfAnswer(this.db, bot, request),
    );
    if (answeredId !== undefined) this.answers.announce(answeredId);
    if (live) this.live.toPerson(bot.spaceId, subject.userId, live);
    return { ok: true, ...(messageId !== undefined && { message_id: messageId }) };
  }
}
