import { Body, Controller, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  Caller,
  ClientApi,
  documentErrors,
  OkAnswer,
  RemoteAddress,
  RequiresScope,
  UuidParam,
} from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { listConversations } from './conversation-list.queries.js';
import { ConversationAnswer, ConversationsPage, conversationView } from '../conversation.view.js';
import { CreateConversationDto, ListConversationsQuery, MuteDto } from '../dto/conversation.dto.js';
import { archiveAsPerson, joinAsPerson, leaveAsPerson, muteAsPerson } from './actions-of-people.js';
import { CreateConversation } from './create-conversation.js';
import { requireReadable } from '../access/require-readable.js';

const OK: OkAnswer = { ok: true };

/** Channels, voice chats and direct chats for people (docs/client-api.md#conversations). */
@Controller('api/v1/client/conversations')
@ClientApi()
@RequiresScope('conversations:write')
@ApiTags('person: conversations')
export class ConversationsClientController {
  constructor(
    private readonly db: Db,
    private readonly createConversation: CreateConversation,
  ) {}

  /**
   * Lists the conversations that the caller is a member of and, unless the caller is a guest, every
   * public one. `is_member` tells them apart. Includes archived conversations, excludes threads.
   * Ordered by creation, `limit` per page.
   */
  @Get()
  @RequiresScope('conversations:read')
  @ApiOperation({
    operationId: 'listConversationsAsPerson',
    summary: "Lists the caller's conversations and every public one that the caller may join",
  })
  @Answers(ConversationsPage)
  @documentErrors(400)
  async list(
    @Caller() caller: UserPrincipal,
    @Query() page: ListConversationsQuery,
  ): Promise<ConversationsPage> {
    const { rows, nextCursor } = await listConversations(this.db, caller, page);
    return {
      ok: true,
      conversations: rows.map((row) => conversationView(row, row)),
      next_cursor: nextCursor,
    };
  }

  /**
   * Creates a channel or voice chat, public by default, with the caller as its first member. Guests
   * get 403. 409 `limit_reached` when the space has reached its plan's limit of unarchived
   * channels.
   */
  @Post()
  @ApiOperation({
    operationId: 'createConversationAsPerson',
    summary: 'Creates a channel or voice chat with the caller as its first member',
  })
  @HttpCode(200)
  @Answers(ConversationAnswer)
  @documentErrors(400, 409)
  async create(
    @Caller() caller: UserPrincipal,
    @Body() body: CreateConversationDto,
    @RemoteAddress() ip: string,
  ): Promise<ConversationAnswer> {
    const wanted = CreateConversationDto.valuesOf(body);
    const conversation = await this.createConversation.run({ ...caller, ip }, wanted);
    return { ok: true, conversation: conversationView(conversation, { isMember: true, muted: false }) };
  }

  /** Returns a conversation or thread. 403 if it is neither public nor joined by the caller. */
  @Get(':id')
  @RequiresScope('conversations:read')
  @ApiOperation({ operationId: 'getConversationAsPerson', summary: 'Gets a conversation or thread' })
  @Answers(ConversationAnswer)
  @documentErrors(404)
  async get(@Caller() caller: UserPrincipal, @UuidParam('id') id: string): Promise<ConversationAnswer> {
    const access = await requireReadable(this.db, caller, id);
    return { ok: true, conversation: conversationView(access.conversation, access) };
  }

  /** Joins a public channel or voice chat. 403 for a private one. Joining again succeeds. */
  @Post(':id/join')
  @RequiresScope('conversations:join')
  @ApiOperation({ operationId: 'joinConversationAsPerson', summary: 'Joins a public channel or voice chat' })
  @HttpCode(200)
  @Answers(OkAnswer)
  @documentErrors(400, 404)
  async join(@Caller() caller: UserPrincipal, @UuidParam('id') id: string): Promise<OkAnswer> {
    await joinAsPerson(this.db, caller, id);
    return OK;
  }

  /** Leaves a channel or voice chat. Leaving again succeeds. */
  @Post(':id/leave')
  @ApiOperation({ operationId: 'leaveConversationAsPerson', summary: 'Leaves a channel or voice chat' })
  @HttpCode(200)
  @Answers(OkAnswer)
  @documentErrors(400, 404)
  async leave(
    @Caller() caller: UserPrincipal,
    @UuidParam('id') id: string,
    @RemoteAddress() ip: string,
  ): Promise<OkAnswer> {
    await leaveAsPerson(this.db, { ...caller, ip }, id);
    return OK;
  }

  /**
   * Archives a channel or voice chat permanently. Allowed for its creator, owners and admins.
   * Archiving again succeeds.
   */
  @Post(':id/archive')
  @ApiOperation({
    operationId: 'archiveConversationAsPerson',
    summary: 'Archives a channel or voice chat; nothing can be posted in it any more',
  })
  @HttpCode(200)
  @Answers(OkAnswer)
  @documentErrors(400, 404)
  async archive(@Caller() caller: UserPrincipal, @UuidParam('id') id: string): Promise<OkAnswer> {
    await archiveAsPerson(this.db, caller, id);
    return OK;
  }

  /**
   * Mutes or unmutes a channel, voice chat or direct chat for the caller. A muted conversation
   * sends no push notifications.
   */
  @Put(':id/mute')
  @ApiOperation({
    operationId: 'muteConversationAsPerson',
    summary: 'Mutes or unmutes a channel, voice chat or direct chat for the caller',
  })
  @Answers(OkAnswer)
  @documentErrors(400, 404)
  async mute(
    @Caller() caller: UserPrincipal,
    @UuidParam('id') id: string,
    @Body() body: MuteDto,
  ): Promise<OkAnswer> {
    await muteAsPerson(this.db, caller, id, body.muted);
    return OK;
  }
}
