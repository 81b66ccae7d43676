import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  documentErrors,
  OperatorApi,
  PageQuery,
  RemoteAddress,
  UuidParam,
} from '@tieline/platform/http';
import { regenerateTokenByOperator } from './regenerate-user-token.js';
import { byOperator } from '../audit-log/record-change.js';
import { recordReading } from '../audit-log/record-reading.js';
import { findSpace } from '../spaces/spaces.queries.js';
import { listUsers } from './users.queries.js';
import { UsersPage, UserTokenAnswer, UserView } from './users.view.js';

/** The people of any space, for the operator of this installation. */
@Controller('api/v1/operator/spaces/:space_id/users')
@OperatorApi()
@ApiTags('operator: spaces')
export class UsersOperatorController {
  constructor(private readonly db: Db) {}

  /** Lists all people, newest first, by pages, to find the one who needs a new token. */
  @Get()
  @ApiOperation({
    operationId: 'listUsersAsOperator',
    summary: 'Lists the people of any space, newest first, by pages',
  })
  @Answers(UsersPage)
  @documentErrors(400, 404)
  async list(
    @UuidParam('space_id') spaceId: string,
    @Query() page: PageQuery,
    @RemoteAddress() ip: string,
  ): Promise<UsersPage> {
    await findSpace(this.db, spaceId);
    // The entry is written before the answer, and not for a bad cursor.
    const { rows, nextCursor } = await listUsers(this.db, spaceId, page);
    await recordReading(this.db, {
      ...{ ...byOperator(ip), spaceId, action: 'space.people_read', objectType: 'space', objectId: spaceId },
      changes: {},
    });
    return { ok: true, users: rows.map(UserView.of), next_cursor: nextCursor };
  }

  /**
   * Creates a new token for a person, shown only in this response: for an owner who lost the only
   * one.
   * The old one stops working immediately.
   */
  @Post(':id/regenerate_token')
  @ApiOperation({
    operationId: 'regenerateUserTokenAsOperator',
    summary: 'Replaces the token of a person of any space; the response shows the new one once',
  })
  @HttpCode(200)
  @Answers(UserTokenAnswer)
  @documentErrors(404)
  async regenerateToken(
    @UuidParam('space_id') spaceId: string,
    @UuidParam('id') userId: string,
    @RemoteAddress() ip: string,
  ): Promise<UserTokenAnswer> {
    return { ok: true, token: await regenerateTokenByOperator(this.db, { spaceId, userId }, ip) };
  }
}
