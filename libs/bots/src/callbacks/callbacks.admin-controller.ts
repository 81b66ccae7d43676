import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { AdminApi, Answers, documentErrors, UuidParam } from '@tieline/platform/http';
import { Acting, recordReading } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
import { findBot } from '../accounts/bots.queries.js';
import { CallbacksPage } from './callback.view.js';
import { listCallbacks } from './callbacks.queries.js';
import { CallbacksQuery } from './dto/callbacks-query.dto.js';

/** The callbacks of a bot, for admins. */
@Controller('api/v1/admin/bots/:id/callbacks')
@AdminApi()
@ApiTags('admin: bots')
export class BotCallbacksAdminController {
  constructor(private readonly db: Db) {}

  /**
   * Lists the bot's callbacks for clicks, modals and slash commands, newest first. The last 10,000
   * are kept, for 30 days.
   */
  @Get()
  @ApiOperation({
    operationId: 'listBotCallbacksAsAdmin',
    summary: "Lists a bot's callbacks, newest first; kept for 30 days",
  })
  @Answers(CallbacksPage)
  @documentErrors(400, 404)
  async list(
    @Acting() { spaceId, origin }: ActingAdmin,
    @UuidParam('id') id: string,
    @Query() query: CallbacksQuery,
  ): Promise<CallbacksPage> {
    await findBot(this.db, spaceId, id);
    const { rows, nextCursor } = await listCallbacks(this.db, spaceId, id, query);
    await recordReading(this.db, {
      ...origin,
      ...{ spaceId, action: 'bot.callbacks_read', objectType: 'bot', objectId: id, changes: {} },
    });
    return { ok: true, callbacks: rows, next_cursor: nextCursor };
  }
}
