import { Body, Controller, Patch } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
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
  UuidParam,
} from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { TitleThreadDto } from './dto/title-thread.dto.js';
import { titleAsBot } from './title-as-bot.js';

/** Titles of threads: docs/agents.md#titles. */
@Controller('api/v1/bot/threads')
@BotApi()
@RequiresScope('messages:write')
@HasOwnRate()
@ApiTags('bot: messages')
export class BotThreadsController {
  constructor(
    private readonly db: Db,
    private readonly rates: BotRates,
  ) {}

  /**
   * Sets or removes the title of a message's thread, also before its first reply. The bot must be a
   * member of the conversation. Setting the same title again succeeds and emits no event.
   */
  @Patch(':root_message_id')
  @ApiOperation({ operationId: 'titleThread', summary: 'Sets the title of a thread' })
  @Answers(OkAnswer)
  @documentErrors(400, 403, 404, 413, 429, 503)
  async update(
    @Caller() bot: BotPrincipal,
    @UuidParam('root_message_id') rootMessageId: string,
    @Body() { title }: TitleThreadDto,
  ): Promise<OkAnswer> {
    await this.rates.write(bot, () => titleAsBot(this.db, bot, rootMessageId, title));
    return { ok: true };
  }
}
