import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { Answers, Caller, ClientApi, documentErrors, PageQuery } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { listMembersOfSpace } from './members-of-space.queries.js';
import { MembersOfSpacePage } from './members-of-space.view.js';

/** Who is who, for people: the names behind the ids of messages and reactions. */
@Controller('api/v1/client/members')
@ClientApi()
@ApiTags('person: conversations')
export class MembersOfSpaceClientController {
  constructor(private readonly db: Db) {}

  /**
   * The people and bots of the space by pages, in the order of their ids, deactivated and deleted
   * ones too; for a guest only those with whom they share a conversation.
   */
  @Get()
  @ApiOperation({
    operationId: 'listMembersOfSpaceAsPerson',
    summary: 'Lists the people and bots whom the caller may know, by pages',
  })
  @Answers(MembersOfSpacePage)
  @documentErrors(400)
  async list(@Caller() caller: UserPrincipal, @Query() page: PageQuery): Promise<MembersOfSpacePage> {
    const { rows, nextCursor } = await listMembersOfSpace(this.db, caller, page);
    return { ok: true, members: rows, next_cursor: nextCursor };
  }
}
