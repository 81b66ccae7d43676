import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answers, Caller, ClientApi, documentErrors, RequiresScope } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { OpenDirectDto } from '../dto/conversation.dto.js';
import { OpenDirectConversation } from './open-direct-conversation.js';
import { DirectChatAnswer } from './direct-chat.view.js';

/** Direct chats of people. */
@Controller('api/v1/client/dm')
@ClientApi()
@RequiresScope('conversations:write')
@ApiTags('person: conversations')
export class DmClientController {
  constructor(private readonly openDirectConversation: OpenDirectConversation) {}

  /**
   * Opens the direct chat with an active person or bot of the space, creating it if needed. With
   * the caller's own id: notes to oneself.
   */
  @Post()
  @ApiOperation({
    operationId: 'openDmAsPerson',
    summary: 'Opens the direct chat with a person or bot of the space, or returns the existing one',
  })
  @HttpCode(200)
  @Answers(DirectChatAnswer)
  @documentErrors(400)
  async create(@Caller() caller: UserPrincipal, @Body() body: OpenDirectDto): Promise<DirectChatAnswer> {
    return { ok: true, conversation_id: await this.openDirectConversation.run(caller, body.user_id) };
  }
}
