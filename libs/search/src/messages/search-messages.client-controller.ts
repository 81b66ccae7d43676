import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answers, Caller, ClientApi, documentErrors, RequiresScope } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import type { FastifyReply } from 'fastify';
import { SearchMessagesQuery } from './dto/search-messages.query.js';
import { MessageSearcher } from './message-searcher.js';
import { SearchResultsPage } from './search-messages.view.js';

/** Search of people (docs/search.md). */
@Controller('api/v1/client/search/messages')
@ClientApi()
@RequiresScope('search')
@ApiTags('person: messages')
export class SearchMessagesClientController {
  constructor(private readonly searcher: MessageSearcher) {}

  /**
   * Finds messages that the caller may read, newest first. All words of `q` must occur; case and
   * accents do not matter. A message is found within a second.
   */
  @Get()
  @ApiOperation({
    operationId: 'searchMessagesAsPerson',
    summary: 'Finds messages by their words, as a person',
  })
  @Answers(SearchResultsPage)
  @documentErrors(400, 429)
  list(
    @Caller() caller: UserPrincipal,
    @Query() query: SearchMessagesQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SearchResultsPage> {
    return this.searcher.run(caller, query, reply);
  }
}
