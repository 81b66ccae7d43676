import { Body, Controller, Put } from '@nestjs/common';
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
import { SetPromptsDto } from './dto/prompts.dto.js';
import { setPrompts } from './set-prompts.js';

/** Messages that a bot suggests to people: docs/agents.md#prompts. */
@Controller('api/v1/bot/conversations/:id/prompts')
@BotApi()
@RequiresScope('messages:write')
@HasOwnRate()
@ApiTags('bot: self and channels')
export class PromptsController {
  constructor(
    private readonly db: Db,
    private readonly rates: BotRates,
  ) {}

  /**
   * Replaces the messages that the bot suggests to people in a conversation or thread. An empty
   * list removes them. They are never part of the history.
   */
  @Put()
  @ApiOperation({ operationId: 'setPrompts', summary: "Sets the bot's prompts in a conversation or thread" })
  @Answers(OkAnswer)
  @documentErrors(400, 403, 404, 413, 429, 503)
  async update(
    @Caller() bot: BotPrincipal,
    @UuidParam('id') conversationId: string,
    @Body() { title, prompts, thread_id: threadId }: SetPromptsDto,
  ): Promise<OkAnswer> {
    const given = {
      conversationId,
      threadId: threadId ?? undefined,
      title: title ?? null,
      prompts: prompts.map((prompt) => ({ title: prompt.title, message: prompt.message })),
    };
    await this.rates.write(bot, () => setPrompts(this.db, bot, given));
    return { ok: true };
  }
}
