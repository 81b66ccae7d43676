import { Body, Controller, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { DmOpenings } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { Answers, Caller, ClientApi, documentErrors, OkAnswer, RequiresScope } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { focusConversation } from './focus-conversation.js';
import { FocusDto } from './focus.dto.js';

/** `PUT /api/v1/client/focus` (docs/streams.md#focus). */
@ApiTags('person: live')
@Controller('api/v1/client')
export class FocusClientController {
  constructor(
    private readonly db: Db,
    private readonly openings: DmOpenings,
  ) {}

  /**
   * Sets the conversation that the caller is viewing. While it is set, `@here` does not push that
   * conversation's messages to the caller. A direct chat with a bot counts as opened.
   */
  @Put('focus')
  @ClientApi()
  @RequiresScope('events')
  @ApiOperation({
    operationId: 'setFocusAsPerson',
    summary: 'Sets the conversation that the caller is viewing',
  })
  @Answers(OkAnswer)
  @documentErrors(400, 404)
  async update(
    @Body() { conversation_id: conversationId }: FocusDto,
    @Caller() caller: UserPrincipal,
  ): Promise<OkAnswer> {
    await focusConversation(this.db, this.openings, caller, conversationId ?? null);
    return { ok: true };
  }
}
