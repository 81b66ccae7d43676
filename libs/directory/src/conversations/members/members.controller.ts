import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  BotApi,
  Caller,
  documentErrors,
  PageQuery,
  RequiresScope,
  UuidParam,
} from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { listMembers } from './members.queries.js';
import { MembersPage } from './members.view.js';

/** Members of a conversation, for bots. */
@Controller('api/v1/bot/conversations/:id/members')
@BotApi()
@RequiresScope('conversations:read')
@ApiTags('bot: self and channels')
export class BotMembersController {
  constructor(private readonly db: Db) {}

  /**
   * Lists the people and bots of a conversation that the bot may read, ordered by id. A thread has
   * the members of its channel.
   */
  @Get()
  @ApiOperation({ operationId: 'listMembers', summary: 'Lists the members of a conversation' })
  @Answers(MembersPage)
  @documentErrors(400, 403, 404)
  async list(
    @Caller() bot: BotPrincipal,
    @UuidParam('id') id: string,
    @Query() page: PageQuery,
  ): Promise<MembersPage> {
    const { rows, nextCursor } = await listMembers(this.db, bot, id, page);
    return { ok: true, members: rows, next_cursor: nextCursor };
  }
}
