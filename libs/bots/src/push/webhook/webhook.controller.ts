import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BotRates } from '@tieline/conversations';
import { Answers, BotApi, documentErrors, HasOwnRate, RequiresScope } from '@tieline/platform/http';
import { overlapOf, RotateSecretDto, rotatedSecretView } from '@tieline/signing';
import { Acting } from '@tieline/spaces';
import type { ActingBot } from '@tieline/spaces';
import { RotateWebhookSecret } from './rotate-webhook-secret.js';
import { RotatedPushSecretAnswer } from './webhook.view.js';

/** The bot's own push webhook. */
@Controller('api/v1/bot/webhook')
@BotApi()
@RequiresScope('events')
@HasOwnRate()
@ApiTags('bot: self and channels')
export class WebhookController {
  constructor(
    private readonly rates: BotRates,
    private readonly rotateWebhookSecret: RotateWebhookSecret,
  ) {}

  /**
   * Replaces the bot's push signing secret. The response is the only one that contains it. Later
   * attempts are signed with it, and for `overlap_seconds` also with the old one. 409 for the bot
   * of an app, whose pushes are signed with the secret of the app.
   */
  @Post('rotate_secret')
  @ApiOperation({
    operationId: 'rotatePushSecret',
    summary: 'Replaces the push signing secret; the response shows the new one once',
  })
  @HttpCode(200)
  @ApiBody({ type: RotateSecretDto, required: false })
  @Answers(RotatedPushSecretAnswer)
  @documentErrors(400, 409, 429, 503)
  async rotateSecret(
    @Acting() bot: ActingBot,
    @Body() body: object | undefined,
  ): Promise<RotatedPushSecretAnswer> {
    const rotate = () => this.rotateWebhookSecret.run(bot, overlapOf(body));
    const rotated = await this.rates.write(bot, rotate);
    return { ok: true, ...rotatedSecretView(rotated), updated_at: rotated.updatedAt.toISOString() };
  }
}
