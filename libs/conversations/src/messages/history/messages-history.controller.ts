import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  BotOrClientApi,
  Caller,
  callerKey,
  documentErrors,
  RequiresScope,
  Slots,
  UuidParam,
} from '@tieline/platform/http';
import type { BotPrincipal, UserPrincipal } from '@tieline/platform/http';
import type { FastifyReply } from 'fastify';
import { oneCursorOnly } from '../../conversations.errors.js';
import { HistoryQuery } from './dto/history.query.js';
import { readHistory } from './history.queries.js';
import type { HistoryRequest } from './history.queries.js';
import { HistoryAnswer } from '../message.view.js';
import { ShownMessages } from './shown-messages.js';
import { withinPage } from './page-bytes.js';
import { requireReadable } from '../../access/require-readable.js';

/** Maximum number of concurrent reads of a bot or person, per process. More wait. */
const READS_PER_CALLER = 8;
/** Maximum time a read waits for earlier reads of the same caller, in milliseconds. */
const PATIENCE_MS = 10_000;

/** Message history for bots and people (docs/client-api.md#history). */
@Controller('api/v1/channels')
@BotOrClientApi()
@RequiresScope('messages:read')
@ApiTags('bot: messages')
export class HistoryController {
  private readonly slots = new Slots(READS_PER_CALLER);

  constructor(
    private readonly db: Db,
    private readonly shown: ShownMessages,
  ) {}

  /**
   * Lists messages of a channel, direct chat or thread in ascending order. `before_msg_index` and
   * `after_msg_index` are exclusive; `around_msg_index` includes its message. Without a cursor: the
   * latest messages. Deleted messages are included, without text. A page holds at most 1 MiB.
   */
  @Get(':conversation_id/messages')
  @ApiOperation({
    operationId: 'listMessages',
    summary: 'Lists messages of a channel, direct chat or thread in ascending order, for bots and people',
  })
  @Answers(HistoryAnswer)
  @documentErrors(400, 403, 404, 429)
  async list(
    @Caller() caller: BotPrincipal | UserPrincipal,
    @UuidParam('conversation_id') id: string,
    @Query() query: HistoryQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<HistoryAnswer> {
    const request = requestOf(query);
    await this.slots.enterInTurn(callerKey(caller), reply.raw, PATIENCE_MS);
    const { conversation } = await requireReadable(this.db, caller, id);
    const page = await readHistory(this.db, conversation, request);
    const messages = await this.shown.to(this.db, caller, page.messages);
    const { from, to } = withinPage({ messages, below: page.below });
    return {
      ok: true,
      messages: messages.slice(from, to),
      has_more_before: page.hasMoreBefore || from > 0,
      has_more_after: page.hasMoreAfter || to < messages.length,
    };
  }
}

function requestOf(query: HistoryQuery): HistoryRequest {
  const {
    before_msg_index: before,
    after_msg_index: after,
    around_msg_index: around,
    limit,
    thread_id: threadId,
    updated_since: updatedSince,
  } = query;
  if ([before, after, around].filter((cursor) => cursor !== undefined).length > 1) throw oneCursorOnly();
  return { before, after, around, limit, threadId, updatedSince };
}
