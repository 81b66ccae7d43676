import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { BotDirectory } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { Answers, Caller, ClientApi, documentErrors, RequiresScope, UuidParam } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { promptsView } from './bot-prompts.js';
import { PromptsQuery } from './dto/prompts.dto.js';
import { listPrompts } from './prompts.queries.js';
import { PromptsAnswer } from './prompts.view.js';

/** Prompts of bots for people: docs/agents.md#prompts. */
@Controller('api/v1/client/conversations/:id/prompts')
@ClientApi()
@RequiresScope('messages:read')
@ApiTags('person: messages')
export class PromptsClientController {
  constructor(
    private readonly db: Db,
    private readonly bots: BotDirectory,
  ) {}

  /** Lists the messages that bots suggest in a conversation or thread, latest first. */
  @Get()
  @ApiOperation({ operationId: 'listPromptsAsPerson', summary: 'Lists prompts of bots' })
  @Answers(PromptsAnswer)
  @documentErrors(400, 404)
  async list(
    @Caller() caller: UserPrincipal,
    @UuidParam('id') conversationId: string,
    @Query() { thread_id: threadId }: PromptsQuery,
  ): Promise<PromptsAnswer> {
    const place = { conversationId, threadId: threadId || undefined };
    const rows = await listPrompts(this.db, this.bots, caller, place);
    return { ok: true, prompts: rows.map(promptsView) };
  }
}
