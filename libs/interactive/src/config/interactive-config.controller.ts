import { Body, Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BotRates } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  BotApi,
  Caller,
  documentErrors,
  HasOwnRate,
  OkAnswer,
  RequiresScope,
} from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { overlapOf, RotateSecretDto } from '@tieline/signing';
import { Acting } from '@tieline/spaces';
import type { ActingBot } from '@tieline/spaces';
import { disableInteractive } from './disable-interactive.js';
import { InteractiveConfigDto } from './dto/interactive-config.dto.js';
import { findConfig } from './interactive-config.queries.js';
import {
  CallbackUrlAnswer,
  InteractiveConfigAnswer,
  interactiveConfigAnswer,
  RotatedInteractiveSecretAnswer,
  rotatedInteractiveSecretAnswer,
  callbackUrlAnswer,
} from './interactive-config.view.js';
import { RotateButtonsSecret } from './rotate-buttons-secret.js';
import { SetCallbackUrl } from './set-callback-url.js';

/**
 * The callback address for a bot's clicks and the secret that signs them. Changes count against the
 * bot's write rate.
 */
@Controller('api/v1/bot/interactive_config')
@BotApi()
@RequiresScope('interactive')
@HasOwnRate()
@ApiTags('bot: interactive components')
export class InteractiveConfigController {
  constructor(
    private readonly db: Db,
    private readonly rates: BotRates,
    private readonly setCallbackUrl: SetCallbackUrl,
    private readonly rotateButtonsSecret: RotateButtonsSecret,
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
    summary: 'Sets the callback address for clicks; the first response shows the signing secret once',
  })
  @Answers(CallbackUrlAnswer)
  @documentErrors(400, 429, 503)
  async update(
    @Acting() bot: ActingBot,
    @Body() { callback_url: callbackUrl }: InteractiveConfigDto,
  ): Promise<CallbackUrlAnswer> {
    const set = () => this.setCallbackUrl.run(bot, callbackUrl);
    return callbackUrlAnswer(callbackUrl, await this.rates.write(bot, set));
  }

  /** Existing buttons stop working permanently, even if the bot is configured again. */
  @Delete()
  @ApiOperation({
    operationId: 'deleteInteractiveConfig',
    summary: 'Disables callbacks for clicks; all existing buttons stop working',
  })
  @Answers(OkAnswer)
  @documentErrors(429, 503)
  async delete(@Acting() bot: ActingBot): Promise<OkAnswer> {
    await this.rates.write(bot, () => disableInteractive(this.db, bot));
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
    @Acting() bot: ActingBot,
    @Body() body: object | undefined,
  ): Promise<RotatedInteractiveSecretAnswer> {
    const rotate = () => this.rotateButtonsSecret.run(bot, overlapOf(body));
    return rotatedInteractiveSecretAnswer(await this.rates.write(bot, rotate));
  }
}
