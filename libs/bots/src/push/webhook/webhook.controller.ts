import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { botWriteRule, BotRateSettings } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { Answers, BotApi, Caller, documentErrors, RemoteAddress, HasOwnRate } from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { charged, RateLimiter } from '@tieline/rate-limit';
import { overlapOf, RotateSecretDto, SecretBox } from '@tieline/signing';
import { byBot } from '../../accounts/record-bot-change.js';
import { rotateWebhookSecret } from './rotate-webhook-secret.js';
import { rotatedSecretAnswer, RotatedPushSecretAnswer } from './webhook.view.js';

/** The bot's own push webhook. */
@Controller('api/v1/bot/webhook')
@BotApi()
@HasOwnRate()
@ApiTags('bot: self and channels')
export class WebhookController {
  constructor(
    private readonly db: Db,
    private readonly rates: BotRateSettings,
    private readonly limiter: RateLimiter,
    private readonly box: SecretBox,
  ) {}

  /**
   * Replaces the bot's push signing secret. The response is the only one that contains it. Later
   * attempts are signed with it, and for `overlap_seconds` also with the old one.
   */
  @Post('rotate_secret')
  @ApiOperation({
    operationId: 'rotatePushSecret',
    summary: 'Replaces the push signing secret; the response shows the new one once',
  })
  @HttpCode(200)
  @ApiBody({ type: RotateSecretDto, required: false })
  @Answers(RotatedPushSecretAnswer)
  @documentErrors(400, 429, 503)
  async rotateSecret(
    @Caller() bot: BotPrincipal,
    @RemoteAddress() ip: string,
    @Body() body: object | undefined,
  ): Promise<RotatedPushSecretAnswer> {
    const { db, box } = this;
    const rotated = await charged(this.limiter, [botWriteRule(this.rates, bot.botId)], () =>
      rotateWebhookSecret({ db, box }, bot.spaceId, bot.botId, {
        origin: byBot(bot, ip),
        overlapSeconds: overlapOf(body),
      }),
    );
    return rotatedSecretAnswer(rotated);
  }
}
