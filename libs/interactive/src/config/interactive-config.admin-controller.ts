import { Body, Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { requireBot } from '@tieline/bots';
import { Db } from '@tieline/platform/database';
import { AdminApi, Answers, Caller, documentErrors, OkAnswer, UuidParam } from '@tieline/platform/http';
import type { AdminPrincipal } from '@tieline/platform/http';
import { Acting } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
import { overlapOf, RotateSecretDto } from '@tieline/signing';
import { InteractiveConfigDto } from './dto/interactive-config.dto.js';
import { RotateButtonsSecret } from './rotate-buttons-secret.js';
import { SetCallbackUrl } from './set-callback-url.js';
import { disableInteractive } from './disable-interactive.js';
import { findConfig } from './interactive-config.queries.js';
import {
  CallbackUrlAnswer,
  InteractiveConfigAnswer,
  interactiveConfigAnswer,
  RotatedInteractiveSecretAnswer,
  rotatedInteractiveSecretAnswer,
  callbackUrlAnswer,
} from './interactive-config.view.js';

/** Lets admins read, set and clear the callback address for a bot's clicks. */
@Controller('api/v1/admin/bots/:id/interactive_config')
@AdminApi()
@ApiTags('admin: bots')
export class InteractiveConfigAdminController {
  constructor(
    private readonly db: Db,
    private readonly setCallbackUrl: SetCallbackUrl,
    private readonly rotateButtonsSecret: RotateButtonsSecret,
  ) {}

  /** Never includes the secret. */
  @Get()
  @ApiOperation({
    operationId: 'getInteractiveConfigAsAdmin',
    summary: "Gets the callback address for a bot's clicks, if one is set",
  })
  @Answers(InteractiveConfigAnswer)
  @documentErrors(404)
  async get(
    @Caller() { spaceId }: AdminPrincipal,
    @UuidParam('id') botId: string,
  ): Promise<InteractiveConfigAnswer> {
    await requireBot(this.db, spaceId, botId);
    return interactiveConfigAnswer(await findConfig(this.db, spaceId, botId));
  }

  /**
   * Same as the bot's own endpoint: the first setup creates the secret and returns it once. Later
   * changes of the address keep the secret.
   */
  @Patch()
  @ApiOperation({
    operationId: 'updateInteractiveConfigAsAdmin',
    summary: "Sets the address for a bot's clicks; the first response shows the signing secret once",
  })
  @Answers(CallbackUrlAnswer)
  @documentErrors(400, 404)
  async update(
    @Acting() { spaceId, origin }: ActingAdmin,
    @UuidParam('id') botId: string,
    @Body() { callback_url: callbackUrl }: InteractiveConfigDto,
  ): Promise<CallbackUrlAnswer> {
    await requireBot(this.db, spaceId, botId);
    const secret = await this.setCallbackUrl.run({ spaceId, botId, origin }, callbackUrl);
    return callbackUrlAnswer(callbackUrl, secret);
  }

  /**
   * Same as the bot's own endpoint: the old secret and the buttons signed with it stay valid for
   * `overlap_seconds`. 404 without a configuration.
   */
  @Post('rotate_secret')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'rotateInteractiveSecretAsAdmin',
    summary: 'Rotates the signing secret for buttons of a bot',
  })
  @ApiBody({ type: RotateSecretDto, required: false })
  @Answers(RotatedInteractiveSecretAnswer)
  @documentErrors(400, 404)
  async rotateSecret(
    @Acting() { spaceId, origin }: ActingAdmin,
    @UuidParam('id') botId: string,
    @Body() body: object | undefined,
  ): Promise<RotatedInteractiveSecretAnswer> {
    const overlapSeconds = overlapOf(body);
    await requireBot(this.db, spaceId, botId);
    const rotated = await this.rotateButtonsSecret.run({ spaceId, botId, origin }, overlapSeconds);
    return rotatedInteractiveSecretAnswer(rotated);
  }

  /**
   * Same as the bot's own endpoint: existing buttons stop working permanently. The next
   * configuration creates a new secret.
   */
  @Delete()
  @ApiOperation({
    operationId: 'deleteInteractiveConfigAsAdmin',
    summary: "Disables callbacks for a bot's clicks; all its existing buttons stop working",
  })
  @Answers(OkAnswer)
  @documentErrors(404)
  async delete(
    @Acting() { spaceId, origin }: ActingAdmin,
    @UuidParam('id') botId: string,
  ): Promise<OkAnswer> {
    await requireBot(this.db, spaceId, botId);
    await disableInteractive(this.db, { spaceId, botId, origin });
    return { ok: true };
  }
}
