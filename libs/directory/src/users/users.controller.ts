import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { Answers, BotApi, Caller, documentErrors, RequiresScope, UuidParam } from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import {
  findPerson,
  findPersonByEmail,
  listPeople,
  NamedPageQuery,
  PeoplePage,
  PersonAnswer,
} from '@tieline/spaces';
import { LookupQuery } from './dto/lookup.query.js';

/**
 * The people of the bot's space. E-mail addresses are included if the space and the scope
 * `users:read.email` allow it (docs/bots.md#conversations-and-people).
 */
@Controller('api/v1/bot/users')
@BotApi()
@RequiresScope('users:read')
@ApiTags('bot: people')
export class BotUsersController {
  constructor(private readonly db: Db) {}

  /** Lists all people, including deactivated ones, newest first. `q` limits the list to names. */
  @Get()
  @ApiOperation({ operationId: 'listUsers', summary: 'Lists people for a bot, newest first' })
  @Answers(PeoplePage)
  @documentErrors(400)
  async list(@Caller() bot: BotPrincipal, @Query() page: NamedPageQuery): Promise<PeoplePage> {
    const { rows, nextCursor } = await listPeople(this.db, bot, page);
    return { ok: true, users: rows, next_cursor: nextCursor };
  }

  /**
   * Returns an active person by e-mail address. 404 also if the space does not let bots see
   * addresses.
   */
  @Get('lookup')
  @RequiresScope('users:read.email')
  @ApiOperation({
    operationId: 'findUserByEmail',
    summary: 'Finds a person by their e-mail address, for a bot',
  })
  @Answers(PersonAnswer)
  @documentErrors(400, 404)
  async lookup(@Caller() bot: BotPrincipal, @Query() { email }: LookupQuery): Promise<PersonAnswer> {
    return { ok: true, user: await findPersonByEmail(this.db, bot, email) };
  }

  /** Returns a person, deactivated or not. */
  @Get(':id')
  @ApiOperation({ operationId: 'getUser', summary: 'Gets a person for a bot' })
  @Answers(PersonAnswer)
  @documentErrors(404)
  async get(@Caller() bot: BotPrincipal, @UuidParam('id') id: string): Promise<PersonAnswer> {
    return { ok: true, user: await findPerson(this.db, bot, id) };
  }
}
