import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BotApi, Caller, documentErrors } from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DmStreams } from './dm-streams.js';

/** `GET /api/v1/bot/stream` (contract, "Bot self and channels"). */
@ApiTags('bot: events')
@Controller('api/v1/bot')
export class StreamController {
  constructor(private readonly streams: DmStreams) {}

  /**
   * The bot's direct messages as server-sent events: each one a line `id: <number>` and a line
   * `data: <json>`, and a line `:ping` every STREAM_KEEPALIVE_SECONDS. The newest DM_INBOX_LIMIT
   * messages that came within DM_INBOX_TTL_HOURS while the bot had no stream come first; with
   * `Last-Event-ID` those after that message (decisions, section 11.4). It is ended when the token
   * is revoked, when the reader is too slow and at a shutdown.
   */
  @Get('stream')
  @BotApi()
  @ApiOperation({
    operationId: 'streamDirectMessages',
    summary: 'Streams direct messages to the bot, whatever its delivery mode',
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'the last `id` that the reader got: the stream goes on after it',
  })
  @ApiOkResponse({
    description:
      'event `message.new`: messages that others send in direct conversations with the bot and in their threads; first those that waited',
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
