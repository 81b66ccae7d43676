import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { Answers, Caller, ClientApi, documentErrors, RequiresScope } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { namePatterns } from '@tieline/spaces';
import { SearchNamesQuery } from '../dto/search-names.query.js';
import { SEARCH_PEOPLE } from './search-people.statements.js';
import { FoundPeopleAnswer } from './search-people.view.js';

/** Search for people and bots by name (docs/search.md#people-and-conversations). */
@Controller('api/v1/client/search/people')
@ClientApi()
@RequiresScope('search')
@ApiTags('person: conversations')
export class SearchPeopleClientController {
  constructor(private readonly db: Db) {}

  /**
   * Finds active people and bots of the space whose name contains all words of `q`. For a guest:
   * only those who share a conversation with the guest.
   */
  @Get()
  @ApiOperation({ operationId: 'searchPeopleAsPerson', summary: 'Finds people and bots by name' })
  @Answers(FoundPeopleAnswer)
  @documentErrors(400)
  async list(
    @Caller() { spaceId, userId, role }: UserPrincipal,
    @Query() { q, limit }: SearchNamesQuery,
  ): Promise<FoundPeopleAnswer> {
    const rows = await this.db.query(SEARCH_PEOPLE, {
      spaceId,
      readerId: userId,
      isGuest: role === 'guest',
      names: namePatterns(q),
      name: q,
      limit,
    });
    const people = rows.map(({ id, type, displayName }) => ({ id, type, display_name: displayName }));
    return { ok: true, people };
  }
}
