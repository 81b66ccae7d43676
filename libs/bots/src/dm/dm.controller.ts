import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { BotRates } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { Answers, BotApi, Caller, documentErrors, HasOwnRate, RequiresScope } from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { DmAnswer } from './dm.view.js';
import { OpenDmDto } from './dto/open-dm.dto.js';
import { openDm } from './open-dm.js';

/** Direct conversations of a bot with people (docs/bots.md#open-a-direct-chat). */
@Controller('api/v1/bot/dm')
@BotApi()
@RequiresScope('conversations:write')
@HasOwnRate()
@ApiTags('bot: self and channels')
export class DmController {
  constructor(
    private readonly db: Db,
    private readonly rates: BotRates,
  ) {}

  /** Opens the direct conversation with a person of the space, or returns the existing one. */
  @Post()
  @ApiOperation({
    operationId: 'openDm',
    summary: 'Opens the direct conversation with a person, or returns the existing one',
  })
  @HttpCode(200)
  @Answers(DmAnswer)
  @documentErrors(400, 429, 503)
  async create(@Caller() bot: BotPrincipal, @Body() body: OpenDmDto): Promise<DmAnswer> {
    const conversationId = await this.rates.dm(bot, () => openDm(this.db, bot, body.user_id));
    return { ok: true, conversation_id: conversationId };
  }
}
