import { Body, Controller, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { AdminApi, Answers, Caller, documentErrors, PageQuery, UuidParam } from '@tieline/platform/http';
import type { AdminPrincipal } from '@tieline/platform/http';
import { Acting } from '../audit-log/acting.js';
import type { ActingAdmin } from '../audit-log/acting.js';
import { CreateUser } from './create-user.js';
import { CreateUserDto, UpdateUserDto } from './dto/user.dto.js';
import { regenerateUserToken } from './regenerate-user-token.js';
import { UpdateUser } from './update-user.js';
import { listUsers } from './users.queries.js';
import { CreatedUserAnswer, UserAnswer, UsersPage, UserTokenAnswer, UserView } from './users.view.js';

/** The people of the caller's space. */
@Controller('api/v1/admin/users')
@AdminApi()
@ApiTags('admin: people')
export class UsersAdminController {
  constructor(
    private readonly db: Db,
    private readonly createUser: CreateUser,
    private readonly updateUser: UpdateUser,
  ) {}

  /**
   * Creates a person; their token is only in this response. Only owners create owners. 201;
   * 409 `limit_reached` when the space has as many active people as its plan allows.
   */
  @Post()
  @ApiOperation({
    operationId: 'createUserAsAdmin',
    summary: 'Creates a person; the response shows their token once',
  })
  @Answers(CreatedUserAnswer, { status: 201 })
  @documentErrors(400, 409)
  async create(@Acting() caller: ActingAdmin, @Body() body: CreateUserDto): Promise<CreatedUserAnswer> {
    const { user, token } = await this.createUser.run(caller, CreateUserDto.valuesOf(body));
    return { ok: true, user: UserView.of(user), token };
  }

  /** Lists all people, newest first, by pages. */
  @Get()
  @ApiOperation({
    operationId: 'listUsersAsAdmin',
    summary: "Lists the space's people, newest first, by pages",
  })
  @Answers(UsersPage)
  @documentErrors(400)
  async list(@Caller() caller: AdminPrincipal, @Query() page: PageQuery): Promise<UsersPage> {
    const { rows, nextCursor } = await listUsers(this.db, caller.spaceId, page);
    return { ok: true, users: rows.map(UserView.of), next_cursor: nextCursor };
  }

  /**
   * Changes a person. Only owners change owners; the last active owner can't be demoted or
   * deactivated (409). 409 `limit_reached` for an activation when the space has as many active
   * people as its plan allows.
   */
  @Patch(':id')
  @ApiOperation({ operationId: 'updateUserAsAdmin', summary: 'Changes a person' })
  @Answers(UserAnswer)
  @documentErrors(400, 404, 409)
  async update(
    @Acting() caller: ActingAdmin,
    @UuidParam('id') id: string,
    @Body() body: UpdateUserDto,
  ): Promise<UserAnswer> {
    const user = await this.updateUser.run(caller, id, UpdateUserDto.valuesOf(body));
    return { ok: true, user: UserView.of(user) };
  }

  /**
   * Creates a new token for a person, shown only in this response. The old one stops working
   * immediately.
   */
  @Post(':id/regenerate_token')
  @ApiOperation({
    operationId: 'regenerateUserTokenAsAdmin',
    summary: 'Replaces the token of a person; the response shows the new one once',
  })
  @HttpCode(200)
  @Answers(UserTokenAnswer)
  @documentErrors(404)
  async regenerateToken(
    @Acting() caller: ActingAdmin,
    @UuidParam('id') id: string,
  ): Promise<UserTokenAnswer> {
    return { ok: true, token: await regenerateUserToken(this.db, caller, id) };
  }
}
