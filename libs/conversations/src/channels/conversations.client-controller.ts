import { Body, Controller, Get, HttpCode, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  Caller,
  ClientApi,
  documentErrors,
  OkAnswer,
  RequiresScope,
  UuidParam,
} from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { Acting } from '@tieline/spaces';
import type { ActingUser } from '@tieline/spaces';
import { listConversations } from './conversation-list.queries.js';
import { ConversationAnswer, ConversationsPage, conversationView } from '../conversation.view.js';
import {
  CreateConversationDto,
  ListConversationsQuery,
  MuteDto,
  UpdateConversationDto,
} from '../dto/conversation.dto.js';
import { archiveChannel, joinAsPerson, leaveChannel, muteAsPerson } from './channel-actions.js';
import { changeAsPerson } from './channel-caller.js';
import { CreateConversation } from './create-conversation.js';
import { requireReadable } from '../access/require-readable.js';
import { UnarchiveChannel, updateChannel } from './update-channel.js';

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
    private readonly unarchiveChannel: UnarchiveChannel,
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
    @Acting() caller: ActingUser,
    @Body() body: CreateConversationDto,
  ): Promise<ConversationAnswer> {
    const wanted = CreateConversationDto.valuesOf(body);
    const conversation = await changeAsPerson(this.db, caller, 'channels', (tx) =>
      this.createConversation.in(tx, caller, wanted),
    );
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

  /**
   * Renames a channel or voice chat, which its creator, owners and admins may, or sets its topic
   * and purpose, which every member except guests may. 403 for an archived one.
   */
  @Patch(':id')
  @ApiOperation({
    operationId: 'updateConversationAsPerson',
    summary: 'Changes name, topic and purpose of a channel or voice chat',
  })
  @Answers(ConversationAnswer)
  @documentErrors(400, 404)
  async update(
    @Acting() caller: ActingUser,
    @UuidParam('id') id: string,
    @Body() body: UpdateConversationDto,
  ): Promise<ConversationAnswer> {
    const change = UpdateConversationDto.valuesOf(body);
    await changeAsPerson(this.db, caller, id, (tx) => updateChannel(tx, caller, id, change));
    return this.get(caller, id);
  }

  /** Joins a public channel or voice chat. 403 for a private one. Joining again succeeds. */
  @Post(':id/join')
  @RequiresScope('conversations:join')
  @ApiOperation({ operationId: 'joinConversationAsPerson', summary: 'Joins a public channel or voice chat' })
  @HttpCode(200)
  @Answers(OkAnswer)
  @documentErrors(400, 404)
  async join(@Acting() caller: ActingUser, @UuidParam('id') id: string): Promise<OkAnswer> {
    await changeAsPerson(this.db, caller, id, (tx) => joinAsPerson(tx, caller, id));
    return OK;
  }

  /** Leaves a channel or voice chat. Leaving again succeeds. */
  @Post(':id/leave')
  @ApiOperation({ operationId: 'leaveConversationAsPerson', summary: 'Leaves a channel or voice chat' })
  @HttpCode(200)
  @Answers(OkAnswer)
  @documentErrors(400, 404)
  async leave(@Acting() caller: ActingUser, @UuidParam('id') id: string): Promise<OkAnswer> {
    await changeAsPerson(this.db, caller, id, (tx) => leaveChannel(tx, caller, id));
    return OK;
  }

  /**
   * Archives a channel or voice chat: it stays readable, but accepts no messages. Allowed for its
   * creator, owners and admins. Archiving again succeeds.
   */
  @Post(':id/archive')
  @ApiOperation({
    operationId: 'archiveConversationAsPerson',
    summary: 'Archives a channel or voice chat, so that nothing can be posted in it',
  })
  @HttpCode(200)
  @Answers(OkAnswer)
  @documentErrors(400, 404)
  async archive(@Acting() caller: ActingUser, @UuidParam('id') id: string): Promise<OkAnswer> {
    await changeAsPerson(this.db, caller, id, (tx) => archiveChannel(tx, caller, id));
    return OK;
  }

  /**
   * Opens an archived channel or voice chat again. Allowed for its creator, owners and admins.
   * Succeeds if it is not archived. 409 `limit_reached` when the space has reached its plan's limit
   * of unarchived channels.
   */
  @Post(':id/unarchive')
  @ApiOperation({
    operationId: 'unarchiveConversationAsPerson',
    summary: 'Opens an archived channel or voice chat again',
  })
  @HttpCode(200)
  @Answers(OkAnswer)
  @documentErrors(400, 404, 409)
  async unarchive(@Acting() caller: ActingUser, @UuidParam('id') id: string): Promise<OkAnswer> {
    await changeAsPerson(this.db, caller, id, (tx) => this.unarchiveChannel.in(tx, caller, id));
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
