import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answers, Caller, ClientApi, documentErrors, UuidParam } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { CommandInvoker } from './command-invoker.js';
import { InvokeCommandDto } from './dto/invoke-command.dto.js';
import { InvocationAnswer, invocationAnswer } from './invocation.view.js';

/** What people type after a slash (decisions, sections 5 and 8). */
@Controller('api/v1/client/conversations/:id/commands')
@ClientApi()
@ApiTags('client: slash commands')
export class InvokeCommandsClientController {
  constructor(private readonly invoker: CommandInvoker) {}

  /** In a conversation that the caller is a member of, or with `thread_id` in a thread of it. */
  @Post()
  @ApiOperation({ summary: 'Gives a slash command in a conversation' })
  @HttpCode(200)
  @Answers(InvocationAnswer)
  @documentErrors(400, 404, 413, 429, 503)
  async invoke(
    @Caller() { spaceId, userId }: UserPrincipal,
    @UuidParam('id') conversationId: string,
    @Body() { text: given, thread_id: threadId }: InvokeCommandDto,
  ): Promise<InvocationAnswer> {
    return invocationAnswer(await this.invoker.invoke({ spaceId, userId, conversationId, threadId }, given));
  }
}
