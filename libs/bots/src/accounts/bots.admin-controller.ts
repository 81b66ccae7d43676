import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { breakerOf, breakersOf } from '@tieline/delivery';
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
import { Acting } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
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
import { CreateBot } from './create-bot.js';
import { deleteBot } from './delete-bot.js';
import { CreateBotDto, UpdateBotDto } from './dto/bot-settings.dto.js';
import { RegenerateTokenDto } from './dto/regenerate-token.dto.js';
import { regenerateBotToken } from './regenerate-bot-token.js';
import { ResetBot } from './reset-bot.js';
import { UpdateBot } from './update-bot.js';

const readReset = bodyReader(RegenerateTokenDto);

/** The bots of the caller's space. A deleted bot is 404 (docs/bots.md#create-a-bot). */
@Controller('api/v1/admin/bots')
@AdminApi()
@ApiTags('admin: bots')
export class BotsAdminController {
  constructor(
    private readonly db: Db,
    private readonly createBot: CreateBot,
    private readonly updateBot: UpdateBot,
    private readonly resetBot: ResetBot,
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
  async create(@Acting() admin: ActingAdmin, @Body() body: CreateBotDto): Promise<CreatedBotAnswer> {
    const settings = CreateBotDto.valuesOf(body);
    const { bot, token, webhookSigningSecret } = await this.createBot.run(admin, settings);
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
  @documentErrors(400, 404, 409)
  async update(
    @Acting() { spaceId, origin }: ActingAdmin,
    @UuidParam('id') botId: string,
    @Body() body: UpdateBotDto,
  ): Promise<BotAnswer> {
    const bot = await this.updateBot.run({ spaceId, botId, origin }, UpdateBotDto.valuesOf(body));
    return { ok: true, bot: await this.viewOf(bot) };
  }

  /**
   * Deletes a bot. Its token is revoked immediately and its memberships end. Its messages stay. 409
   * for the bot of an installed app, which ends with the installation.
   */
  @Delete(':id')
  @ApiOperation({ operationId: 'deleteBotAsAdmin', summary: 'Deletes a bot' })
  @Answers(OkAnswer)
  @documentErrors(404, 409)
  async delete(
    @Acting() { spaceId, origin }: ActingAdmin,
    @UuidParam('id') botId: string,
  ): Promise<OkAnswer> {
    await deleteBot(this.db, { spaceId, botId, origin });
    return { ok: true };
  }

  /**
   * Replaces a bot's token. The response is the only one that contains it, and the old token is
   * revoked immediately. The app of the bot, if any, gets TOKENS_REVOKED. With `reset`, everything
   * that the old token may have set up is also cleared or replaced: addresses, commands and
   * secrets.
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
    @UuidParam('id') botId: string,
    @Body() body: object | undefined,
  ): Promise<RegeneratedBotTokenAnswer> {
    const bot = { spaceId, botId, origin };
    if (!readReset(body ?? {}).reset) return { ok: true, token: await regenerateBotToken(this.db, bot) };
    const { token, webhookSigningSecret } = await this.resetBot.run(bot);
    return { ok: true, token, webhook_signing_secret: webhookSigningSecret };
  }

  private async viewOf(bot: Bot): Promise<AdminBotView> {
    return adminBotView(bot, await breakerOf(this.db, bot.id));
  }
}
