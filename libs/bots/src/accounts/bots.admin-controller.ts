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

/** The bots of the caller's space (decisions, section 7). A deleted bot is 404 from then on. */
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

  /** Makes a bot. Its token and its push signing secret are shown here only. 201. */
  @Post()
  @ApiOperation({
    operationId: 'createBotAsAdmin',
    summary: 'Creates a bot; the answer shows its token and signing secret once',
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
    return { ok: true, bot: await this.show(bot), token, webhook_signing_secret: webhookSigningSecret };
  }

  /** The bots that are not deleted, newest first, by pages. */
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

  /** One bot; 404 once it is deleted. */
  @Get(':id')
  @ApiOperation({ operationId: 'getBotAsAdmin', summary: 'Gets a bot' })
  @Answers(BotAnswer)
  @documentErrors(404)
  async get(@Caller() caller: AdminPrincipal, @UuidParam('id') id: string): Promise<BotAnswer> {
    return { ok: true, bot: await this.show(await findBot(this.db, caller.spaceId, id)) };
  }

  /**
   * Changes a bot. Mode `webhook` needs a stored URL; an empty URL clears it. A disabled bot's
   * token is refused at once.
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
    return { ok: true, bot: await this.show(bot) };
  }

  /** Deletes a bot: its token is refused at once and its memberships end; what it wrote stays. */
  @Delete(':id')
  @ApiOperation({ operationId: 'deleteBotAsAdmin', summary: 'Deletes a bot' })
  @Answers(OkAnswer)
  @documentErrors(404)
  async delete(@Acting() { spaceId, origin }: ActingAdmin, @UuidParam('id') id: string): Promise<OkAnswer> {
    await deleteBot(this.db, spaceId, id, origin);
    return { ok: true };
  }

  /**
   * Gives a bot a new token, shown here only; the old one is refused at once. With `reset` what the
   * old one may have set up is void as well: addresses, commands, secrets (decisions, section
   * 11.1).
   */
  @Post(':id/regenerate_token')
  @ApiOperation({
    operationId: 'regenerateBotTokenAsAdmin',
    summary: 'Replaces the token of a bot; the answer shows the new one once',
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

  private async show(bot: Bot): Promise<AdminBotView> {
    return adminBotView(bot, await breakerOf(this.db, bot.id));
  }
}
