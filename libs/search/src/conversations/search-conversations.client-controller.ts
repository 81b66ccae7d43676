import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ConversationView, conversationView, findConversationsByName } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  Caller,
  ClientApi,
  documentErrors,
  Field,
  OkAnswer,
  RequiresScope,
} from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { SearchNamesQuery } from '../dto/search-names.query.js';

/** Response of GET /client/search/conversations. */
export class FoundConversationsAnswer extends OkAnswer {
  @Field({
    type: ConversationView,
    isArray: true,
    description: 'names that begin with `q` first, archived conversations last',
  })
  conversations: ConversationView[];
}

/** Search for channels by name (docs/search.md#people-and-conversations). */
@Controller('api/v1/client/search/conversations')
@ClientApi()
@RequiresScope('search')
@ApiTags('person: conversations')
export class SearchConversationsClientController {
  constructor(private readonly db: Db) {}

  /**
   * Finds channels and voice chats whose name contains all words of `q`: the caller's own and,
   * unless the caller is a guest, public ones. Includes archived ones.
   */
  @Get()
  @ApiOperation({
    operationId: 'searchConversationsAsPerson',
    summary: 'Finds channels and voice chats by name',
  })
  @Answers(FoundConversationsAnswer)
  @documentErrors(400)
  async list(
    @Caller() caller: UserPrincipal,
    @Query() { q: name, limit }: SearchNamesQuery,
  ): Promise<FoundConversationsAnswer> {
    const rows = await findConversationsByName(this.db, caller, { name, limit });
    return { ok: true, conversations: rows.map((row) => conversationView(row, row)) };
  }
}
