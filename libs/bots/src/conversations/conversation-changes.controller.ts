import { Body, Controller, Delete, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  AddMemberDto,
  channelChanges,
  ConversationAnswer,
  conversationView,
  CreateConversation,
  CreateConversationDto,
  InviteMember,
  UnarchiveChannel,
  UpdateConversationDto,
} from '@tieline/conversations';
import type { Conversation } from '@tieline/conversations';
import {
  Answers,
  BotApi,
  documentErrors,
  HasOwnRate,
  OkAnswer,
  RequiresScope,
  UuidParam,
} from '@tieline/platform/http';
import { Acting } from '@tieline/spaces';
import type { ActingBot } from '@tieline/spaces';
import { ChangeAsBot } from './change-as-bot.js';

const OK: OkAnswer = { ok: true };

/** Channels that bots create and change (docs/bots.md#create-and-change-channels). */
@Controller('api/v1/bot/conversations')
@BotApi()
@RequiresScope('conversations:write')
@HasOwnRate()
@ApiTags('bot: self and channels')
export class BotConversationChangesController {
  constructor(
    private readonly changes: ChangeAsBot,
    private readonly createConversation: CreateConversation,
    private readonly inviteMember: InviteMember,
    private readonly unarchiveChannel: UnarchiveChannel,
  ) {}

  /**
   * Creates a channel or voice chat, public by default, with the bot as its first member. 409
   * `limit_reached` when the space has reached its plan's limit of unarchived channels.
   */
  @Post()
  @ApiOperation({
    operationId: 'createConversation',
    summary: 'Creates a channel or voice chat with the bot as its first member',
  })
  @HttpCode(200)
  @Answers(ConversationAnswer)
  @documentErrors(400, 409, 429, 503)
  async create(@Acting() bot: ActingBot, @Body() body: CreateConversationDto): Promise<ConversationAnswer> {
    const wanted = CreateConversationDto.valuesOf(body);
    return shown(
      await this.changes.run(bot, 'channels', (tx) => this.createConversation.in(tx, bot, wanted)),
    );
  }

  /**
   * Sets topic and purpose of a channel or voice chat that the bot is a member of, or renames one
   * that it created. 403 for an archived one.
   */
  @Patch(':id')
  @ApiOperation({
    operationId: 'updateConversation',
    summary: 'Changes name, topic and purpose of a channel or voice chat, as a bot',
  })
  @Answers(ConversationAnswer)
  @documentErrors(400, 403, 404, 429, 503)
  async update(
    @Acting() bot: ActingBot,
    @UuidParam('id') id: string,
    @Body() body: UpdateConversationDto,
  ): Promise<ConversationAnswer> {
    const change = UpdateConversationDto.valuesOf(body);
    return shown(await this.changes.run(bot, id, (tx) => channelChanges.update(tx, bot, id, change)));
  }

  /** Archives a channel or voice chat that the bot created. Archiving again succeeds. */
  @Post(':id/archive')
  @ApiOperation({
    operationId: 'archiveConversation',
    summary: 'Archives a channel or voice chat that the bot created',
  })
  @HttpCode(200)
  @Answers(OkAnswer)
  @documentErrors(400, 403, 404, 429, 503)
  async archive(@Acting() bot: ActingBot, @UuidParam('id') id: string): Promise<OkAnswer> {
    await this.changes.run(bot, id, (tx) => channelChanges.archive(tx, bot, id));
    return OK;
  }

  /**
   * Opens an archived channel or voice chat that the bot created. Succeeds if it is not archived.
   * 409 `limit_reached` when the space has reached its plan's limit of unarchived channels.
   */
  @Post(':id/unarchive')
  @ApiOperation({
    operationId: 'unarchiveConversation',
    summary: 'Opens an archived channel or voice chat that the bot created',
  })
  @HttpCode(200)
  @Answers(OkAnswer)
  @documentErrors(400, 403, 404, 409, 429, 503)
  async unarchive(@Acting() bot: ActingBot, @UuidParam('id') id: string): Promise<OkAnswer> {
    await this.changes.run(bot, id, (tx) => this.unarchiveChannel.in(tx, bot, id));
    return OK;
  }

  /** Removes the bot from a channel or voice chat. Leaving again succeeds. */
  @Post(':id/leave')
  @ApiOperation({ operationId: 'leaveConversation', summary: 'Removes the bot from a channel or voice chat' })
  @HttpCode(200)
  @Answers(OkAnswer)
  @documentErrors(400, 404, 429, 503)
  async leave(@Acting() bot: ActingBot, @UuidParam('id') id: string): Promise<OkAnswer> {
    await this.changes.run(bot, id, (tx) => channelChanges.leave(tx, bot, id));
    return OK;
  }

  /** Adds a member to a channel or voice chat that the bot belongs to. Adding again succeeds. */
  @Post(':id/members')
  @ApiOperation({
    operationId: 'addMember',
    summary: 'Adds a person or bot to a channel or voice chat, as a bot',
  })
  @HttpCode(200)
  @Answers(OkAnswer)
  @documentErrors(400, 403, 404, 429, 503)
  async addMember(
    @Acting() bot: ActingBot,
    @UuidParam('id') id: string,
    @Body() body: AddMemberDto,
  ): Promise<OkAnswer> {
    await this.changes.run(bot, id, (tx) => this.inviteMember.in(tx, bot, id, body.member_id));
    return OK;
  }

  /**
   * Removes a bot from a channel or voice chat that the calling bot is a member of, or a person
   * from one that it created.
   */
  @Delete(':id/members/:member_id')
  @ApiOperation({
    operationId: 'removeMember',
    summary: 'Removes a person or bot from a channel or voice chat, as a bot',
  })
  @Answers(OkAnswer)
  @documentErrors(400, 403, 404, 429, 503)
  async removeMember(
    @Acting() bot: ActingBot,
    @UuidParam('id') id: string,
    @UuidParam('member_id') memberId: string,
  ): Promise<OkAnswer> {
    await this.changes.run(bot, id, (tx) => channelChanges.removeMember(tx, bot, id, memberId));
    return OK;
  }
}

/** Only members change a conversation. */
function shown(conversation: Conversation): ConversationAnswer {
  return { ok: true, conversation: conversationView(conversation, { isMember: true, muted: false }) };
}
