import { Body, Controller, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { Answers, Caller, ClientApi, documentErrors, OkAnswer } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { focusConversation } from './focus-conversation.js';
import { FocusDto } from './focus.dto.js';

/** `PUT /api/v1/client/focus` (decisions, section 8). */
@ApiTags('person: live')
@Controller('api/v1/client')
export class FocusClientController {
  constructor(private readonly db: Db) {}

  /**
   * Says which conversation this person's open streams look at; `@here` then does not push its
   * messages to them.
   */
  @Put('focus')
  @ClientApi()
  @ApiOperation({
    operationId: 'setFocusAsPerson',
    summary: 'Says which conversation the caller is looking at',
  })
  @Answers(OkAnswer)
  @documentErrors(400, 404)
  async focus(
    @Body() { conversation_id: conversationId }: FocusDto,
    @Caller() caller: UserPrincipal,
  ): Promise<OkAnswer> {
    await focusConversation(this.db, caller, conversationId ?? null);
    return { ok: true };
  }
}
