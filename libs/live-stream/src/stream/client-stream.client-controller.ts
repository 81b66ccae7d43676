import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Caller, ClientApi, documentErrors, RequiresScope } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ClientStreams } from './client-stream.js';

/** `GET /api/v1/client/stream` (docs/streams.md#events-for-people). */
@ApiTags('person: live')
@Controller('api/v1/client')
export class ClientStreamController {
  constructor(private readonly streams: ClientStreams) {}

  /**
   * Opens the caller's live stream: server-sent events, each a line `data: <json>` with the field
   * `event`, and a `:ping` line every STREAM_KEEPALIVE_SECONDS. The server closes it when the token
   * is revoked, when the client reads too slowly, and at shutdown.
   */
  @Get('stream')
  @ClientApi()
  @RequiresScope('events')
  @ApiOperation({
    operationId: 'streamEventsAsPerson',
    summary: "Streams live events of the caller's conversations",
  })
  @ApiOkResponse({
    description:
      'events: message.new, message.edited, message.deleted, reaction.added, reaction.removed, thread.updated, ephemeral, modal.open, notification, execution_task.updated, bot.status, bot.status_cleared, bot.prompts; resync after a gap',
    content: { 'text/event-stream': {} },
  })
  @documentErrors(503)
  async stream(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Caller() caller: UserPrincipal,
  ): Promise<void> {
    await this.streams.open(request, reply, caller);
  }
}
