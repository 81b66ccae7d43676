import { Body, Controller, Delete, Put, Query } from '@nestjs/common';
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
import { clearStatus, setStatus } from './change-status.js';
import { SetStatusDto, StatusThreadQuery } from './dto/status.dto.js';
import { StatusAnswer } from './status.view.js';

/** What a bot is doing at the moment: docs/agents.md#status. */
@Controller('api/v1/bot/conversations/:id/status')
@BotApi()
@RequiresScope('messages:write')
@HasOwnRate()
@ApiTags('bot: self and channels')
export class StatusController {
  constructor(
    private readonly db: Db,
    private readonly rates: BotRates,
  ) {}

  /**
   * Shows members what the bot is doing in a conversation or thread, until its next message there,
   * at most two minutes. Replaces the bot's status there. It is never part of the history.
   */
  @Put()
  @ApiOperation({ operationId: 'setStatus', summary: "Sets the bot's status in a conversation or thread" })
  @Answers(StatusAnswer)
  @documentErrors(400, 403, 404, 413, 429, 503)
  async update(
    @Caller() bot: BotPrincipal,
    @UuidParam('id') conversationId: string,
    @Body() { text, thread_id: threadId, loading_messages: loadingMessages }: SetStatusDto,
  ): Promise<StatusAnswer> {
    const status = {
      conversationId,
      threadId: threadId ?? undefined,
      text,
      loadingMessages: loadingMessages ?? [],
    };
    const { expiresAt } = await this.rates.write(bot, () => setStatus(this.db, bot, status));
    return { ok: true, expires_at: expiresAt.toISOString() };
  }

  /** Removes the bot's status. Succeeds if there is none. */
  @Delete()
  @ApiOperation({ operationId: 'clearStatus', summary: "Removes the bot's status" })
  @Answers(OkAnswer)
  @documentErrors(400, 403, 404, 429, 503)
  async delete(
    @Caller() bot: BotPrincipal,
    @UuidParam('id') conversationId: string,
    @Query() { thread_id: threadId }: StatusThreadQuery,
  ): Promise<OkAnswer> {
    const place = { conversationId, threadId: threadId || undefined };
    await this.rates.write(bot, () => clearStatus(this.db, bot, place));
    return { ok: true };
  }
}
