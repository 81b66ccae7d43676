import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  Caller,
  ClientApi,
  documentErrors,
  PageQuery,
  RequiresScope,
  UuidParam,
} from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { listMembers } from './members.queries.js';
import { MembersPage } from './members.view.js';

/** Members of a conversation, for people. */
@Controller('api/v1/client/conversations/:id/members')
@ClientApi()
@RequiresScope('conversations:read')
@ApiTags('person: conversations')
export class ConversationMembersClientController {
  constructor(private readonly db: Db) {}

  /**
   * Lists the people and bots of a conversation that the caller may read, ordered by id. A thread
   * has the members of its channel.
   */
  @Get()
  @ApiOperation({
    operationId: 'listMembersAsPerson',
    summary: 'Lists the members of a conversation that the caller may read',
  })
  @Answers(MembersPage)
  @documentErrors(400, 403, 404)
  async list(
    @Caller() caller: UserPrincipal,
    @UuidParam('id') id: string,
    @Query() page: PageQuery,
  ): Promise<MembersPage> {
    const { rows, nextCursor } = await listMembers(this.db, caller, id, page);
    return { ok: true, members: rows, next_cursor: nextCursor };
  }
}
