import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { breakerOf, breakersOf } from '@tieline/delivery';
import { EgressPolicy } from '@tieline/egress';
import {
  AdminApi,
  Answers,
  bodyReader,
  Caller,
  documentErrors,
  OkAnswer,
  PageQuery,
  UuidParam,
} from '@tieline/platform/http';
import type { AdminPrincipal } from '@tieline/platform/http';
import { SecretBox } from '@tieline/signing';
import { Acting } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
import { BotLimitSettings } from '../bots.settings.js';
import {
  AdminBotView,
  adminBotView,
  BotAnswer,
  BotsPage,
  CreatedBotAnswer,
  RegeneratedBotTokenAnswer,
} from './bot.view.js';
import type { Bot } from './bot.entity.js';
import { findBot, listBots } from './bots.queries.js';
import { createBot } from './create-bot.js';
import { deleteBot } from './delete-bot.js';
import { CreateBotDto, settingsOf, UpdateBotDto } from './dto/bot-settings.dto.js';
import { RegenerateTokenDto } from './dto/regenerate-token.dto.js';
import { regenerateBotToken } from './regenerate-bot-token.js';
import { resetBot } from './reset-bot.js';
import { updateBot } from './update-bot.js';
import { checkWebhookUrl } from '../push/webhook/webhook-url.js';

const readReset = bodyReader(RegenerateTokenDto);

/** The bots of the caller's space. A deleted bot is 404 (docs/bots.md#create-a-bot). */
@Controller('api/v1/admin/bots')
@AdminApi()
@ApiTags('admin: bots')
export class BotsAdminController {
  constructor(
    private readonly db: Db,
    private readonly box: SecretBox,
    private readonly egress: EgressPolicy,
    private readonly limits: BotLimitSettings,
  ) {}

  /**
   * Creates a bot. The response (201) is the only one that contains its token and its push signing
   * secret.
   */
  @Post()
  @ApiOperation({
    operationId: 'createBotAsAdmin',
    summary: 'Creates a bot; the response shows its token and signing secret once',
  })
  @Answers(CreatedBotAnswer, { status: 201 })
  @documentErrors(400, 409)
  async create(
    @Acting() { spaceId, origin }: ActingAdmin,
    @Body() body: CreateBotDto,
  ): Promise<CreatedBotAnswer> {
    const settings = { ...settingsOf(body), displayName: body.display_name };
    await checkWebhookUrl(this.egress, settings.webhookUrl);
    const { bot, token, webhookSigningSecret } = await createBot(
      { db: this.db, box: this.box, limits: this.limits.limit },
      spaceId,
      settings,
      origin,
    );
    return { ok: true, bot: await this.viewOf(bot), token, webhook_signing_secret: webhookSigningSecret };
  }

  /** Lists the bots that are not deleted, newest first. */
  @Get()
  @ApiOperation({ operationId: 'listBotsAsAdmin', summary: 'Lists the bots of the space, newest first' })
  @Answers(BotsPage)
  @documentErrors(400)
  async list(@Caller() caller: AdminPrincipal, @Query() page: PageQuery): Promise<BotsPage> {
    const { rows, nextCursor } = await listBots(this.db, caller.spaceId, page);
    const breakers = await breakersOf(
      this.db,
      rows.map((bot) => bot.id),
    );
    return {
      ok: true,
      bots: rows.map((bot) => adminBotView(bot, breakers(bot.id))),
      next_cursor: nextCursor,
    };
  }

  /** Returns a bot. 404 if it is deleted. */
  @Get(':id')
  @ApiOperation({ operationId: 'getBotAsAdmin', summary: 'Gets a bot' })
  @Answers(BotAnswer)
  @documentErrors(404)
  async get(@Caller() caller: AdminPrincipal, @UuidParam('id') id: string): Promise<BotAnswer> {
    return { ok: true, bot: await this.viewOf(await findBot(this.db, caller.spaceId, id)) };
  }

  /**
   * Changes a bot. Mode `webhook` requires a stored URL; an empty URL clears it. Disabling a bot
   * revokes its token immediately.
   */
  @Patch(':id')
  @ApiOperation({ operationId: 'updateBotAsAdmin', summary: 'Changes the settings of a bot' })
  @Answers(BotAnswer)
  @documentErrors(400, 404)
  async update(
    @Acting() { spaceId, origin }: ActingAdmin,
    @UuidParam('id') id: string,
    @Body() body: UpdateBotDto,
  ): Promise<BotAnswer> {
    const change = settingsOf(body);
    await checkWebhookUrl(this.egress, change.webhookUrl);
    const bot = await updateBot(this.db, spaceId, id, change, origin);
    return { ok: true, bot: await this.viewOf(bot) };
  }

  /** Deletes a bot. Its token is revoked immediately and its memberships end. Its messages stay. */
  @Delete(':id')
  @ApiOperation({ operationId: 'deleteBotAsAdmin', summary: 'Deletes a bot' })
  @Answers(OkAnswer)
  @documentErrors(404)
  async delete(@Acting() { spaceId, origin }: ActingAdmin, @UuidParam('id') id: string): Promise<OkAnswer> {
    await deleteBot(this.db, spaceId, id, origin);
    return { ok: true };
  }

  /**
   * Replaces a bot's token. The response is the only one that contains it, and the old token is
   * revoked immediately. With `reset`, everything that the old token may have set up is also
   * cleared or replaced: addresses, commands and secrets.
   */
  @Post(':id/regenerate_token')
  @ApiOperation({
    operationId: 'regenerateBotTokenAsAdmin',
    summary: 'Replaces the token of a bot; the response shows the new one once',
  })
  @HttpCode(200)
  @ApiBody({ type: RegenerateTokenDto, required: false })
  @Answers(RegeneratedBotTokenAnswer)
  @documentErrors(400, 404)
  async regenerateToken(
    @Acting() { spaceId, origin }: ActingAdmin,
    @UuidParam('id') id: string,
    @Body() body: object | undefined,
  ): Promise<RegeneratedBotTokenAnswer> {
    if (!readReset(body ?? {}).reset)
      return { ok: true, token: await regenerateBotToken(this.db, spaceId, id, origin) };
    const { token, webhookSigningSecret } = await resetBot(
      { db: this.db, box: this.box },
      spaceId,
      id,
      origin,
    );
    return { ok: true, token, webhook_signing_secret: webhookSigningSecret };
  }

  private async viewOf(bot: Bot): Promise<AdminBotView> {
    return adminBotView(bot, await breakerOf(this.db, bot.id));
  }
}
