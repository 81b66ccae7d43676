import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { BotRates } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { Answers, BotApi, Caller, documentErrors, HasOwnRate, RequiresScope } from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { Acting } from '@tieline/spaces';
import type { ActingBot } from '@tieline/spaces';
import { SetShortcutsDto, shortcutOf } from './dto/shortcuts.dto.js';
import { setShortcuts } from './set-shortcuts.js';
import { shortcutsOfBot } from './shortcuts.queries.js';
import { ShortcutsAnswer, shortcutsAnswer } from './shortcuts.view.js';

/** A bot's own shortcuts (docs/slack-apps.md#shortcuts). Changes count against its write rate. */
@Controller('api/v1/bot/shortcuts')
@BotApi()
@RequiresScope('interactive')
@HasOwnRate()
@ApiTags('bot: interactive components')
export class ShortcutsController {
  constructor(
    private readonly db: Db,
    private readonly rates: BotRates,
  ) {}

  /** By name. */
  @Get()
  @ApiOperation({ operationId: 'listShortcuts', summary: "Lists the bot's shortcuts" })
  @Answers(ShortcutsAnswer)
  async list(@Caller() { spaceId, botId }: BotPrincipal): Promise<ShortcutsAnswer> {
    return shortcutsAnswer(await shortcutsOfBot(this.db, spaceId, botId));
  }

  /** A shortcut whose `callback_id` stays keeps its id. An empty list deletes all. */
  @Put()
  @ApiOperation({ operationId: 'setShortcuts', summary: "Replaces the bot's shortcuts" })
  @Answers(ShortcutsAnswer)
  @documentErrors(400, 413, 429, 503)
  async update(@Acting() bot: ActingBot, @Body() { shortcuts }: SetShortcutsDto): Promise<ShortcutsAnswer> {
    const set = () => setShortcuts(this.db, bot, shortcuts.map(shortcutOf));
    return shortcutsAnswer(await this.rates.write(bot, set));
  }
}
