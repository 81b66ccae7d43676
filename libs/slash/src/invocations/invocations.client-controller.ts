import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Caller, ClientApi, documentAnswer, documentErrors, UuidParam } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { CommandInvoker } from './command-invoker.js';
import { InvokeCommandDto } from './dto/invoke-command.dto.js';

/** What people type after a slash (decisions, sections 5 and 8). */
@Controller('api/v1/client/conversations/:id/commands')
@ClientApi()
@ApiTags('client: slash commands')
export class InvocationsClientController {
  constructor(private readonly invoker: CommandInvoker) {}

  /**
   * Gives a command in a conversation that the caller is a member of, or with `thread_id` in a thread of it. The answer is
   * for the caller's eyes only, but for `in_channel`, which was posted as `message_id`; `ack` means that more will follow.
   * A bot that fails to answer in time is `ephemeral` too.
   */
  @Post()
  @ApiOperation({ summary: 'Gives a slash command in a conversation' })
  @HttpCode(200)
  @documentAnswer({
    ok: true,
    result: 'in_channel',
    text: 'Deployed **v1.4.2**',
    message_id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41',
    trigger_id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d71',
  })
  @documentErrors(400, 404, 413, 429, 503)
  async invoke(
    @Caller() { spaceId, userId }: UserPrincipal,
    @UuidParam('id') conversationId: string,
    @Body() { text: given, thread_id: threadId }: InvokeCommandDto,
  ) {
    const { result, text, messageId, triggerId } = await this.invoker.invoke(
      { spaceId, userId, conversationId, threadId },
      given,
    );
    return {
      ok: true,
      result,
      ...(text !== undefined && { text }),
      ...(messageId !== undefined && { message_id: messageId }),
      trigger_id: triggerId,
    };
  }
}
