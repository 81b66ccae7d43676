import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  botWriteRule,
  BotRateSettings,
  ConversationAnswer,
  ConversationsPage,
  conversationView,
  listConversationsOfBot,
  requireReadable,
} from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  BotApi,
  Caller,
  documentErrors,
  OkAnswer,
  UuidParam,
  HasOwnRate,
} from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { charged, RateLimiter } from '@tieline/rate-limit';
import { channelIdMalformed } from '../bots.errors.js';
import { BotConversationsQuery } from './dto/list-conversations.query.js';
import { joinConversation } from './join-conversation.js';

/** Where a bot is and can be (contract, "Bot self and channels"; decisions, section 11.4). */
@Controller('api/v1/bot/conversations')
@BotApi()
@HasOwnRate()
@ApiTags('bot: self and channels')
export class BotConversationsController {
  constructor(
    private readonly db: Db,
    private readonly rates: BotRateSettings,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * The bot's own conversations and the public ones that it could join, by pages, in the order of
   * making. No threads and none that is archived; `channel_ids` narrows channels.
   */
  @Get()
  @ApiOperation({
    operationId: 'listConversations',
    summary: 'Lists conversations that the bot is a member of or could join, by pages',
  })
  @Answers(ConversationsPage)
  @documentErrors(400)
  async list(@Caller() bot: BotPrincipal, @Query() query: BotConversationsQuery): Promise<ConversationsPage> {
    const { rows, nextCursor } = await listConversationsOfBot(this.db, bot, query);
    const conversations = rows.map((row) => conversationView(row, { isMember: row.isMember, muted: false }));
    return { ok: true, conversations, next_cursor: nextCursor };
  }

  /**
   * One conversation, a thread or an archived one too. 403 for one that is not the bot's to read.
   */
  @Get(':id')
  @ApiOperation({ operationId: 'getConversation', summary: 'Shows a bot a conversation or thread' })
  @Answers(ConversationAnswer)
  @documentErrors(403, 404)
  async show(@Caller() bot: BotPrincipal, @UuidParam('id') id: string): Promise<ConversationAnswer> {
    const access = await requireReadable(this.db, bot, id);
    return { ok: true, conversation: conversationView(access.conversation, access) };
  }

  /** Adds the bot to a public channel or voice chat; repeating is fine. */
  @Post(':id/join')
  @ApiOperation({
    operationId: 'joinConversation',
    summary: 'Adds the bot to a public channel or voice chat',
  })
  @HttpCode(200)
  @Answers(OkAnswer)
  @documentErrors(400, 403, 429, 503)
  async join(
    @Caller() bot: BotPrincipal,
    @UuidParam('id', channelIdMalformed) conversationId: string,
  ): Promise<OkAnswer> {
    await charged(this.limiter, [botWriteRule(this.rates, bot.botId)], () =>
      joinConversation(this.db, bot, conversationId),
    );
    return { ok: true };
  }
}
