import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { DmOpenings, findDirectConversation } from '@tieline/conversations';
import { findHome } from '@tieline/interactive';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  Caller,
  ClientApi,
  documentErrors,
  notFound,
  RequiresScope,
  UuidParam,
} from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { FIND_BOT } from './people.statements.js';
import { shownView } from './view-shapes.js';
import { HomeAnswer } from './view.view.js';

/** Homes of bots in people's clients (docs/slack-apps.md#views). */
@Controller('api/v1/client/bots/:bot_id/home')
@ClientApi()
@RequiresScope('interactive')
@ApiTags('person: interactive components')
export class HomesClientController {
  constructor(
    private readonly db: Db,
    private readonly openings: DmOpenings,
  ) {}

  /**
   * Returns the home that the bot published for the caller. If the two have a direct chat, the bot
   * gets an event about it, at most every ten seconds.
   */
  @Get()
  @ApiOperation({ operationId: 'getHomeAsPerson', summary: 'Returns the home of a bot for the caller' })
  @Answers(HomeAnswer)
  @documentErrors(403, 404, 429)
  async get(
    @Caller() { spaceId, userId }: UserPrincipal,
    @UuidParam('bot_id') botId: string,
  ): Promise<HomeAnswer> {
    const [bot] = await this.db.query(FIND_BOT, [spaceId, botId]);
    if (!bot) throw notFound('bot_not_found', 'bot not found');
    const conversationId = await findDirectConversation(this.db, spaceId, botId, userId);
    const opening = { spaceId, userId, botIds: [botId], tab: 'home' as const };
    if (conversationId !== undefined) await this.openings.announce(this.db, { ...opening, conversationId });
    const home = await findHome(this.db, { spaceId, botId, userId });
    return { ok: true, view: home ? shownView(home) : null };
  }
}
