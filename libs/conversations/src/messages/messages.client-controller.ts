import { isBlankText, RequiresScope } from '@tieline/platform/http';
import { Body, Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import { idempotencyKeyOf } from '@tieline/idempotency';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  Caller,
  ClientApi,
  documentErrors,
  HeaderText,
  OkAnswer,
  UuidParam,
  HasOwnRate,
} from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { PersonRates } from '../access/person-rates.js';
import { textRequired } from '../conversations.errors.js';
import { DeleteMessage } from './delete-message.js';
import { EditMessageDto, SendMessageDto } from './dto/message.dto.js';
import { EditMessage } from './edit-message.js';
import { ShownMessages } from './history/shown-messages.js';
import { MessageAnswer, PostedMessageAnswer } from './message.view.js';
import { SendMessage } from './send-message.js';
import { deleteAsPerson, editAsPerson } from './actions-of-people.js';

const OK: OkAnswer = { ok: true };

/** Messages of people (docs/client-api.md#messages). */
@Controller('api/v1/client')
@ClientApi()
@RequiresScope('messages:write')
@HasOwnRate()
@ApiTags('person: messages')
export class MessagesClientController {
  constructor(
    private readonly db: Db,
    private readonly sendMessage: SendMessage,
    private readonly editMessage: EditMessage,
    private readonly deleteMessage: DeleteMessage,
    private readonly shown: ShownMessages,
    private readonly rates: PersonRates,
  ) {}

  /**
   * Posts a message, or with `parent_message_id` a reply in that message's thread. Allowed for
   * members, unless the conversation is archived. `attachments` are ready files that the caller
   * uploaded for that conversation. With `Idempotency-Key`, a repeat within 24 hours returns the
   * first result; a different message with the same key gets 409.
   */
  @Post('conversations/:id/messages')
  @ApiOperation({
    operationId: 'sendMessageAsPerson',
    summary: "Posts a message, or with `parent_message_id` a reply in that message's thread",
  })
  @HttpCode(200)
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'A-Z a-z 0-9 . _ : - and at most 128 characters',
  })
  @Answers(PostedMessageAnswer)
  @documentErrors(400, 403, 404, 409, 429)
  async create(
    @Caller() caller: UserPrincipal,
    @UuidParam('id') conversationId: string,
    @Body() body: SendMessageDto,
    @HeaderText('idempotency-key') header?: string,
  ): Promise<PostedMessageAnswer> {
    const fileIds = (body.attachments ?? []).map(({ file_id: id }) => id.toLowerCase());
    const message = {
      spaceId: caller.spaceId,
      conversationId,
      author: { id: caller.userId, type: 'user' as const },
      text: fileIds.length > 0 ? (body.text ?? '') : requireVisibleText(body.text ?? ''),
      parentMessageId: body.parent_message_id,
      ...{ fileIds, key: idempotencyKeyOf(header, undefined) },
    };
    const { messageId, msgIndex, attachmentStatus } = await this.rates.charged(
      caller,
      () => this.sendMessage.run(message),
      this.sendMessage.repeatOf(message),
    );
    return {
      ...{ ok: true, message_id: messageId, msg_index: msgIndex },
      ...(attachmentStatus && { attachment_status: attachmentStatus }),
    };
  }

  /**
   * Returns a message of a conversation that the caller can read, as history shows it. 410 if it
   * was deleted.
   */
  @Get('messages/:id')
  @RequiresScope('messages:read')
  @ApiOperation({ operationId: 'getMessageAsPerson', summary: 'Gets a message of a conversation' })
  @Answers(MessageAnswer)
  @documentErrors(403, 404, 410)
  async get(@Caller() caller: UserPrincipal, @UuidParam('id') messageId: string): Promise<MessageAnswer> {
    return { ok: true, message: await this.shown.one(this.db, caller, messageId) };
  }

  /** Replaces the text of the caller's own message. 410 if it was deleted. */
  @Patch('messages/:id')
  @ApiOperation({
    operationId: 'editMessageAsPerson',
    summary: "Replaces the text of the caller's own message",
  })
  @Answers(OkAnswer)
  @documentErrors(400, 404, 410, 429)
  async update(
    @Caller() caller: UserPrincipal,
    @UuidParam('id') messageId: string,
    @Body() body: EditMessageDto,
  ): Promise<OkAnswer> {
    const update = {
      spaceId: caller.spaceId,
      messageId,
      editor: { id: caller.userId, type: 'user' as const },
      text: requireVisibleText(body.text),
    };
    await this.rates.charged(caller, () => editAsPerson(this.db, this.editMessage, update));
    return OK;
  }

  /**
   * Deletes the caller's own message. Owners and admins may delete any message that they can read.
   * 410 if it was already deleted.
   */
  @Delete('messages/:id')
  @ApiOperation({ operationId: 'deleteMessageAsPerson', summary: "Deletes the caller's own message" })
  @Answers(OkAnswer)
  @documentErrors(404, 410, 429)
  async delete(@Caller() caller: UserPrincipal, @UuidParam('id') messageId: string): Promise<OkAnswer> {
    const { spaceId, userId, role } = caller;
    const deletion = { spaceId, messageId, actor: { id: userId, type: 'user' as const }, role };
    await this.rates.charged(caller, () => deleteAsPerson(this.db, this.deleteMessage, deletion));
    return OK;
  }
}

/** Refuses text that consists only of white space. */
function requireVisibleText(text: string): string {
  if (isBlankText(text)) throw textRequired();
  return text;
}
