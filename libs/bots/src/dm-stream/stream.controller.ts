import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BotApi, Caller, documentErrors, RequiresScope } from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DmStreams } from './dm-streams.js';

/** `GET /api/v1/bot/stream`. */
@ApiTags('bot: events')
@Controller('api/v1/bot')
export class StreamController {
  constructor(private readonly streams: DmStreams) {}

  /**
   * Opens the bot's stream of direct messages: server-sent events, each with a line `id: <number>`
   * and a line `data: <json>`, and a line `:ping` every STREAM_KEEPALIVE_SECONDS. It starts with
   * the latest DM_INBOX_LIMIT messages that arrived within DM_INBOX_TTL_HOURS while the bot had no
   * stream, or with `Last-Event-ID` with the messages after that one. The server closes it when the
   * token is revoked, when the client reads too slowly, and at shutdown.
   */
  @Get('stream')
  @BotApi()
  @RequiresScope('events')
  @ApiOperation({
    operationId: 'streamDirectMessages',
    summary: 'Streams direct messages to the bot, in every delivery mode',
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'the last `id` that the client received: the stream resumes after it',
  })
  @ApiOkResponse({
    description:
      'event `message.new`: messages that others send in direct conversations with the bot and in their threads; waiting messages first',
    content: { 'text/event-stream': {} },
  })
  @documentErrors(503)
  async stream(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Caller() caller: BotPrincipal,
  ): Promise<void> {
    await this.streams.open(request, reply, caller);
  }
}
