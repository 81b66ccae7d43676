import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  BotRates,
  chatAccess,
  ConversationAnswer,
  ConversationsPage,
  conversationView,
  listConversationsOfBot,
} from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  BotApi,
  Caller,
  documentErrors,
  HasOwnRate,
  OkAnswer,
  RequiresScope,
  UuidParam,
} from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { channelIdMalformed } from '../bots.errors.js';
import { BotConversationsQuery } from './dto/list-conversations.query.js';
import { joinConversation } from './join-conversation.js';

/** Conversations that a bot is in or could join (docs/bots.md#conversations-and-people). */
@Controller('api/v1/bot/conversations')
@BotApi()
@RequiresScope('conversations:read')
@HasOwnRate()
@ApiTags('bot: self and channels')
export class BotConversationsController {
  constructor(
    private readonly db: Db,
    private readonly rates: BotRates,
  ) {}

  /**
   * Lists the bot's own conversations and the public ones it could join, ordered by creation.
   * Excludes threads and archived conversations. `channel_ids` limits channels, `q` names.
   */
  @Get()
  @ApiOperation({
    operationId: 'listConversations',
    summary: 'Lists conversations that the bot is a member of or could join',
  })
  @Answers(ConversationsPage)
  @documentErrors(400)
  async list(@Caller() bot: BotPrincipal, @Query() query: BotConversationsQuery): Promise<ConversationsPage> {
    const { rows, nextCursor } = await listConversationsOfBot(this.db, bot, query);
    const conversations = rows.map((row) => conversationView(row, { isMember: row.isMember, muted: false }));
    return { ok: true, conversations, next_cursor: nextCursor };
  }

  /** Returns a conversation or thread, archived or not. 403 if the bot may not read it. */
  @Get(':id')
  @ApiOperation({ operationId: 'getConversation', summary: 'Gets a conversation or thread for a bot' })
  @Answers(ConversationAnswer)
  @documentErrors(403, 404)
  async get(@Caller() bot: BotPrincipal, @UuidParam('id') id: string): Promise<ConversationAnswer> {
    const access = await chatAccess.requireReadable(this.db, bot, id);
    return { ok: true, conversation: conversationView(access.conversation, access) };
  }

  /** Adds the bot to a public channel or voice chat. Joining again succeeds. */
  @Post(':id/join')
  @RequiresScope('conversations:join')
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
    await this.rates.write(bot, () => joinConversation(this.db, bot, conversationId));
    return { ok: true };
  }
}
