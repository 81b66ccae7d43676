import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { BotRates } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { Answers, BotApi, Caller, documentErrors, HasOwnRate, RequiresScope } from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { Acting } from '@tieline/spaces';
import type { ActingBot } from '@tieline/spaces';
import { botView, OwnBotAnswer } from '../accounts/bot.view.js';
import { findBot } from '../accounts/bots.queries.js';
import { UpdateBotSelfDto } from '../accounts/dto/bot-settings.dto.js';
import { UpdateBot } from '../accounts/update-bot.js';

/** The calling bot (docs/bots.md#the-bot-account). */
@Controller('api/v1/bot/me')
@BotApi()
@RequiresScope('none')
@HasOwnRate()
@ApiTags('bot: self and channels')
export class MeController {
  constructor(
    private readonly db: Db,
    private readonly rates: BotRates,
    private readonly updateBot: UpdateBot,
  ) {}

  /** Returns the calling bot. Also works as a check of its token. */
  @Get()
  @ApiOperation({ operationId: 'getMe', summary: 'Gets the calling bot' })
  @Answers(OwnBotAnswer)
  async get(@Caller() bot: BotPrincipal): Promise<OwnBotAnswer> {
    return { ok: true, bot: botView(await findBot(this.db, bot.spaceId, bot.botId)) };
  }

  /**
   * Changes the bot's own delivery mode, name or avatar. Mode `webhook` requires a webhook_url that
   * an admin stored.
   */
  @Patch()
  @ApiOperation({ operationId: 'updateMe', summary: "Changes the bot's own delivery mode, name or avatar" })
  @Answers(OwnBotAnswer)
  @documentErrors(400, 429, 503)
  async update(@Acting() caller: ActingBot, @Body() body: UpdateBotSelfDto): Promise<OwnBotAnswer> {
    const update = () => this.updateBot.run(caller, UpdateBotSelfDto.valuesOf(body));
    return { ok: true, bot: botView(await this.rates.write(caller, update)) };
  }
}
