import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { Answers, Caller, ClientApi, documentErrors, PageQuery, RequiresScope } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { listMembersOfSpace } from './members-of-space.queries.js';
import { MembersOfSpacePage } from './members-of-space.view.js';

/** Names of people and bots, for clients that show the authors of messages and reactions. */
@Controller('api/v1/client/members')
@ClientApi()
@RequiresScope('users:read')
@ApiTags('person: conversations')
export class MembersOfSpaceClientController {
  constructor(private readonly db: Db) {}

  /**
   * Lists the people and bots of the space, ordered by id, including deactivated and deleted ones.
   * For a guest: only those who share a conversation with the guest.
   */
  @Get()
  @ApiOperation({
    operationId: 'listMembersOfSpaceAsPerson',
    summary: 'Lists the people and bots that the caller may know',
  })
  @Answers(MembersOfSpacePage)
  @documentErrors(400)
  async list(@Caller() caller: UserPrincipal, @Query() page: PageQuery): Promise<MembersOfSpacePage> {
    const { rows, nextCursor } = await listMembersOfSpace(this.db, caller, page);
    return { ok: true, members: rows, next_cursor: nextCursor };
  }
}
