import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { botWriteRule, BotRateSettings } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { Answers, BotApi, Caller, documentErrors, OkAnswer, UuidParam } from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { charged, RateLimiter } from '@tieline/rate-limit';
import { channelIdMalformed } from '../bots.errors.js';
import { joinConversation } from './join-conversation.js';

/** Channels that a bot joins by itself (contract, "Bot self and channels"). */
@Controller('api/v1/bot/conversations')
@BotApi()
@ApiTags('bot: self and channels')
export class BotConversationsController {
  constructor(
    private readonly db: Db,
    private readonly rates: BotRateSettings,
    private readonly limiter: RateLimiter,
  ) {}

  /** Adds the bot to a public channel or voice chat; repeating is fine. */
  @Post(':id/join')
  @ApiOperation({ summary: 'Adds the bot to a public channel or voice chat' })
  @HttpCode(200)
  @Answers(OkAnswer)
  @documentErrors(400, 403, 429, 503)
  async join(
    @Caller() bot: BotPrincipal,
    @UuidParam('id', channelIdMalformed) conversationId: string,
  ): Promise<OkAnswer> {
    await charged(this.limiter, [botWriteRule(this.rates, bot.botId)], () =>
      joinConversation(this.db, bot, conversationId),
    );
    return { ok: true };
  }
}
