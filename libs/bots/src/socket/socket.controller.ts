import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { BotApi, Caller, documentErrors, RequiresScope } from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { findBot } from '../accounts/bots.queries.js';
import { pollingDisabled, upgradeRequired } from '../bots.errors.js';
import { PollSettings } from '../bots.settings.js';
import { requireFormat, requireMode } from './open-socket.js';

const DESCRIPTION = `a WebSocket (docs/socket.md). The server sends JSON texts: \`{"type": "hello", "connection_id"}\`;
\`{"type": "event" | "interaction" | "command" | "options", "envelope_id", "attempt", "payload"}\`;
\`{"type": "error", "envelope_id", "code", "error"}\` for an invalid answer;
\`{"type": "disconnect", "reason": "shutdown" | "mode" | "token" | "slow"}\`. The bot sends \`{"envelope_id", "answer"?}\`; its \`{"type": "ping"}\` is answered with \`{"type": "pong"}\``;

/**
 * `GET /api/v1/bot/socket`. Handshakes are handled by {@link SocketEndpoint} before they reach this
 * route.
 */
@ApiTags('bot: events')
@Controller('api/v1/bot/socket')
export class SocketController {
  constructor(
    private readonly db: Db,
    private readonly polling: PollSettings,
  ) {}

  /**
   * A WebSocket handshake by a bot in mode `poll`: by bearer header, or by the subprotocols
   * `tieline.v1` and `tieline.bearer.<token>`. With subprotocols, refusals are close codes:
   * 4401 token, 4403 inactive space or missing scope, 4409 mode, 4429 too many. A bot has at most
   * ten sockets.
   */
  @Get()
  @BotApi()
  @RequiresScope('events')
  @ApiOperation({
    operationId: 'openSocket',
    summary: 'Opens a socket: events, clicks and commands over one connection, acknowledged by the bot',
  })
  @ApiResponse({ status: 101, description: DESCRIPTION })
  @documentErrors(409, 426, 429, 503)
  async socket(@Caller() { spaceId, botId }: BotPrincipal): Promise<never> {
    if (!this.polling.enabled) throw pollingDisabled();
    const { eventDeliveryMode, eventFormat } = await findBot(this.db, spaceId, botId);
    requireMode(eventDeliveryMode);
    requireFormat(eventFormat, 'native');
    throw upgradeRequired();
  }
}
