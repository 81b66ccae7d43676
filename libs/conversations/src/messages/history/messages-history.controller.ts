import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { Answers, BotOrClientApi, Caller, documentErrors, UuidParam } from '@tieline/platform/http';
import type { BotPrincipal, UserPrincipal } from '@tieline/platform/http';
import { oneCursorOnly } from '../../conversations.errors.js';
import { HistoryQuery } from './dto/history.query.js';
import { readHistory } from './history.queries.js';
import type { HistoryRequest } from './history.queries.js';
import { MessageAttachments } from '../../ports/message-attachments.js';
import { messageFor, MetadataVisibility } from '../../ports/metadata-visibility.js';
import { HistoryAnswer, messageView } from '../message.view.js';
import { requireReadable } from '../../access/require-readable.js';

/** History, for bots and people (contract, "Bot self and channels"; decisions, section 3). */
@Controller('api/v1/channels')
@BotOrClientApi()
@ApiTags('history')
export class HistoryController {
  constructor(
    private readonly db: Db,
    private readonly attachments: MessageAttachments,
    private readonly visibility: MetadataVisibility,
  ) {}

  /**
   * Messages of a channel, direct chat or thread, ascending. `before_msg_index` and `after_msg_index` are exclusive,
   * `around_msg_index` has its message among them; without a cursor the newest. Deleted messages stay, without text.
   */
  @Get(':conversation_id/messages')
  @ApiOperation({ summary: 'Lists messages of a channel, direct chat or thread, in ascending order' })
  @Answers(HistoryAnswer)
  @documentErrors(400, 403, 404)
  async messages(
    @Caller() caller: BotPrincipal | UserPrincipal,
    @UuidParam('conversation_id') id: string,
    @Query() query: HistoryQuery,
  ): Promise<HistoryAnswer> {
    const request = requestOf(query);
    const { conversation } = await requireReadable(this.db, caller, id);
    const page = await readHistory(this.db, conversation, request);
    const files = await this.attachments.of(
      this.db,
      caller.spaceId,
      page.messages.map((message) => message.id),
    );
    const viewer =
      caller.kind === 'bot'
        ? { type: 'bot' as const, id: caller.botId }
        : { type: 'user' as const, id: caller.userId };
    return {
      ok: true,
      messages: page.messages.map((message) =>
        messageFor(this.visibility, messageView(message, files.get(message.id)), viewer),
      ),
      has_more_before: page.hasMoreBefore,
      has_more_after: page.hasMoreAfter,
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
