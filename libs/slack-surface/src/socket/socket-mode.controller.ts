import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import { documentErrors } from '@tieline/platform/http';
import { SOCKET_PATH, TICKET } from '../paths.js';
import { socketModeUpgrade } from './socket-mode.errors.js';

/** Handshakes are handled by `SocketModeEndpoint` before they reach this route. */
@Controller(SOCKET_PATH)
@ApiTags('public: slack')
export class SocketModeController {
  /**
   * A WebSocket handshake of a Slack app, with the ticket that `apps.connections.open` returned. A
   * ticket is valid once and for 20 seconds.
   */
  @Get()
  @ApiOperation({
    operationId: 'openSlackSocket',
    summary: 'Opens a socket of a Slack app, with a ticket from apps.connections.open',
  })
  @ApiQuery({ name: TICKET, description: 'from the `url` of `apps.connections.open`' })
  @ApiResponse({ status: 101, description: 'a WebSocket with the messages of Slack’s socket mode' })
  @documentErrors(401, 426, 503)
  socket(): never {
    throw socketModeUpgrade();
  }
}
