import { Body, Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { byBot } from '@tieline/bots';
import { botWriteRule, BotRateSettings } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { EgressPolicy } from '@tieline/egress';
import {
  Answers,
  BotApi,
  Caller,
  documentErrors,
  OkAnswer,
  RemoteAddress,
  HasOwnRate,
} from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { charged, RateLimiter } from '@tieline/rate-limit';
import { overlapOf, previousSecretView, RotateSecretDto, SecretBox } from '@tieline/signing';
import { disableInteractive } from './disable-interactive.js';
import { InteractiveConfigDto } from './dto/interactive-config.dto.js';
import { findConfig } from './interactive-config.queries.js';
import {
  CallbackUrlAnswer,
  InteractiveConfigAnswer,
  interactiveConfigAnswer,
  RotatedInteractiveSecretAnswer,
} from './interactive-config.view.js';
import { rotateButtonsSecret } from './rotate-buttons-secret.js';
import { setCallbackUrl } from './set-callback-url.js';

/**
 * The callback address for a bot's clicks and the secret that signs them. Changes count against the
 * bot's write rate.
 */
@Controller('api/v1/bot/interactive_config')
@BotApi()
@HasOwnRate()
@ApiTags('bot: interactive components')
export class InteractiveConfigController {
  constructor(
    private readonly db: Db,
    private readonly rates: BotRateSettings,
    private readonly limiter: RateLimiter,
    private readonly box: SecretBox,
    private readonly policy: EgressPolicy,
  ) {}

  /** Never includes the secret. */
  @Get()
  @ApiOperation({
    operationId: 'getInteractiveConfig',
    summary: 'Gets the callback address for clicks, if one is set',
  })
  @Answers(InteractiveConfigAnswer)
  async get(@Caller() bot: BotPrincipal): Promise<InteractiveConfigAnswer> {
    return interactiveConfigAnswer(await findConfig(this.db, bot.spaceId, bot.botId));
  }

  /**
   * The first setup creates the secret and returns it once. Later changes of the address keep the
   * secret.
   */
  @Patch()
  @ApiOperation({
    operationId: 'updateInteractiveConfig',
    summary: 'Sets the callback address for clicks; the first answer shows the signing secret once',
  })
  @Answers(CallbackUrlAnswer)
  @documentErrors(400, 429, 503)
  async update(
    @Caller() bot: BotPrincipal,
    @Body() body: InteractiveConfigDto,
    @RemoteAddress() ip: string,
  ): Promise<CallbackUrlAnswer> {
    const secret = await this.charge(bot, () =>
      setCallbackUrl(
        this.db,
        { box: this.box, policy: this.policy },
        { ...bot, origin: byBot(bot, ip) },
        body.callback_url,
      ),
    );
    return {
      ok: true,
      callback_url: body.callback_url,
      ...(secret !== undefined && { signing_secret: secret }),
    };
  }

  /** Existing buttons stop working permanently, even if the bot is configured again. */
  @Delete()
  @ApiOperation({
    operationId: 'deleteInteractiveConfig',
    summary: 'Turns off callbacks for clicks; all existing buttons stop working',
  })
  @Answers(OkAnswer)
  @documentErrors(429, 503)
  async delete(@Caller() bot: BotPrincipal, @RemoteAddress() ip: string): Promise<OkAnswer> {
    await this.charge(bot, () => disableInteractive(this.db, { ...bot, origin: byBot(bot, ip) }));
    return { ok: true };
  }

  /**
   * Creates a new signing secret for buttons, returned only in this response. The old secret stays
   * valid for `overlap_seconds`. 404 without a configuration.
   */
  @Post('rotate_secret')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'rotateInteractiveSecret',
    summary: 'Rotates the signing secret for buttons, as a bot',
  })
  @ApiBody({ type: RotateSecretDto, required: false })
  @Answers(RotatedInteractiveSecretAnswer)
  @documentErrors(400, 404, 429, 503)
  async rotateSecret(
    @Caller() bot: BotPrincipal,
    @RemoteAddress() ip: string,
    @Body() body: object | undefined,
  ): Promise<RotatedInteractiveSecretAnswer> {
    const requester = { ...bot, origin: byBot(bot, ip) };
    const { signingSecret, updatedAt, previousExpiresAt } = await this.charge(bot, () =>
      rotateButtonsSecret(this.db, this.box, requester, overlapOf(body)),
    );
    return {
      ok: true,
      signing_secret: signingSecret,
      updated_at: updatedAt.toISOString(),
      ...previousSecretView(previousExpiresAt),
    };
  }

  private charge<T>({ botId }: BotPrincipal, work: () => Promise<T>): Promise<T> {
    return charged(this.limiter, [botWriteRule(this.rates, botId)], work);
  }
}
