import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { Answers, BotApi, Caller, documentErrors, PageQuery, UuidParam } from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { listMembers } from './members.queries.js';
import { MembersPage } from './members.view.js';

/** Who is in a conversation (decisions, section 11.4). */
@Controller('api/v1/bot/conversations/:id/members')
@BotApi()
@ApiTags('bot: self and channels')
export class BotMembersController {
  constructor(private readonly db: Db) {}

  /**
   * The people and bots of a conversation that the bot can read; of a thread, its channel's. By
   * pages, in the order of their ids.
   */
  @Get()
  @ApiOperation({ operationId: 'listMembers', summary: 'Lists the members of a conversation, by pages' })
  @Answers(MembersPage)
  @documentErrors(400, 403, 404)
  async members(
    @Caller() bot: BotPrincipal,
    @UuidParam('id') id: string,
    @Query() page: PageQuery,
  ): Promise<MembersPage> {
    const { rows, nextCursor } = await listMembers(this.db, bot, id, page);
    return { ok: true, members: rows, next_cursor: nextCursor };
  }
}
