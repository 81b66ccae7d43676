import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ChoicesAnswer } from '@tieline/interactive';
import { PersonRates } from '@tieline/conversations';
import {
  Answers,
  Caller,
  ClientApi,
  documentErrors,
  HasOwnRate,
  RequiresScope,
  UuidParam,
} from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { ChoiceSuggester } from '../options/choice-suggester.js';
import { SuggestChoicesDto } from '../options/dto/suggest-choices.dto.js';
import { CommandInvoker } from './command-invoker.js';
import { InvokeCommandDto } from './dto/invoke-command.dto.js';
import { InvocationAnswer, invocationAnswer } from './invocation.view.js';

/** Runs slash commands for people's chat clients. */
@Controller('api/v1/client/conversations/:id/commands')
@ClientApi()
@RequiresScope('commands')
@HasOwnRate()
@ApiTags('person: slash commands')
export class ConversationCommandsClientController {
  constructor(
    private readonly invoker: CommandInvoker,
    private readonly rates: PersonRates,
    private readonly suggester: ChoiceSuggester,
  ) {}

  /**
   * The caller must be a member of the conversation. With `thread_id` the command runs in a thread
   * of it.
   */
  @Post()
  @ApiOperation({ operationId: 'invokeCommandAsPerson', summary: 'Runs a slash command in a conversation' })
  @HttpCode(200)
  @Answers(InvocationAnswer)
  @documentErrors(400, 404, 413, 429, 503)
  async invoke(
    @Caller() user: UserPrincipal,
    @UuidParam('id') conversationId: string,
    @Body() { text, options, thread_id: threadId }: InvokeCommandDto,
  ): Promise<InvocationAnswer> {
    const invoke = () => this.invoker.invoke(user, { conversationId, threadId }, { text, options });
    return invocationAnswer(await this.rates.charged(user, invoke));
  }
  /**
   * Answers within three seconds, with no choices if the bot does not answer. The same request
   * within five seconds gets the cached answer.
   */
  @Post('options')
  @ApiOperation({
    operationId: 'suggestCommandOptionsAsPerson',
    summary: 'Suggests values for an option of a slash command while the caller types',
  })
  @HttpCode(200)
  @Answers(ChoicesAnswer)
  @documentErrors(400, 404, 413, 429, 503)
  async suggest(
    @Caller() { spaceId, userId }: UserPrincipal,
    @UuidParam('id') conversationId: string,
    @Body() { command, option, typed }: SuggestChoicesDto,
  ): Promise<ChoicesAnswer> {
    const place = { spaceId, userId, conversationId };
    const choices = await this.suggester.suggest(place, { command, option, typed: typed ?? '' });
    return { ok: true, choices };
  }
}
