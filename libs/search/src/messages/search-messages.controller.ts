import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answers, BotApi, Caller, documentErrors, RequiresScope } from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import type { FastifyReply } from 'fastify';
import { SearchMessagesQuery } from './dto/search-messages.query.js';
import { MessageSearcher } from './message-searcher.js';
import { SearchResultsPage } from './search-messages.view.js';

/** Search of bots (docs/search.md). */
@Controller('api/v1/bot/search/messages')
@BotApi()
@RequiresScope('search')
@ApiTags('bot: messages')
export class SearchMessagesController {
  constructor(private readonly searcher: MessageSearcher) {}

  /**
   * Finds messages that the bot may read, newest first. All words of `q` must occur; case and
   * accents do not matter. A message is found within a second.
   */
  @Get()
  @ApiOperation({ operationId: 'searchMessages', summary: 'Finds messages by their words, as a bot' })
  @Answers(SearchResultsPage)
  @documentErrors(400, 429)
  list(
    @Caller() bot: BotPrincipal,
    @Query() query: SearchMessagesQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SearchResultsPage> {
    return this.searcher.run(bot, query, reply);
  }
}
