import { Injectable } from '@nestjs/common';
import { Db } from '@tieline/platform/database';
import { invalidToken, unavailable } from '@tieline/platform/http';
import { v4 as uuidv4 } from 'uuid';
import { grantedScopes } from '../../accounts/bot-tokens.js';
import { pollingDisabled } from '../../bots.errors.js';
import { PollSettings } from '../../bots.settings.js';
import { BotSocket } from '../bot-socket.js';
import { BotSockets } from '../bot-sockets.js';
import { openSocket } from '../open-socket.js';
import type { SocketOwner } from '../socket-owner.js';
import type { SocketDialect } from '../socket-dialect.js';
import { decodeTicket, encodeTicket, isTicketOf } from './ticket.js';
import { TAKE_TICKET } from './tickets.statements.js';

/** The socket that a ticket was exchanged for. */
export interface TicketSocket {
  owner: SocketOwner;
  connectionId: string;
}

/**
 * Tickets for clients that cannot send a header with a handshake. A ticket reserves one of the
 * bot's places for a socket for 20 seconds and is valid once (docs/slack-apps.md#socket-mode).
 */
@Injectable()
export class SocketTickets {
  constructor(
    private readonly db: Db,
    private readonly sockets: BotSockets,
    private readonly polling: PollSettings,
  ) {}

  /**
   * Issues a ticket.
   * @throws 401 if the token has been replaced. 409 in another mode or with another event format.
   * 429 too many sockets. 503 if polling is disabled or this process shuts down.
   */
  async issue(
    bot: { spaceId: string; botId: string },
    tokenHash: Buffer,
    dialect: SocketDialect,
  ): Promise<string> {
    if (this.sockets.isClosing) throw unavailable();
    if (!this.polling.enabled) throw pollingDisabled();
    const { spaceId, botId } = bot;
    // Only random bits, because the id is the secret.
    const ticketId = uuidv4();
    await openSocket(this.db, { spaceId, botId, tokenHash, dialect }, ticketId);
    return encodeTicket({ spaceId, botId, ticketId, tokenHash });
  }

  /**
   * Exchanges a ticket for a socket.
   * @throws 401 unknown, used or expired, or the token has been replaced since
   */
  async take(text: string, dialect: SocketDialect): Promise<TicketSocket> {
    if (this.sockets.isClosing) throw unavailable();
    const ticket = decodeTicket(text);
    if (!ticket) throw invalidToken();
    const { spaceId, botId, ticketId } = ticket;
    const connectionId = BotSocket.newId();
    const [bot] = await this.db.query(TAKE_TICKET, { spaceId, botId, ticketId, connectionId });
    if (!bot) throw invalidToken();
    const scopes = grantedScopes(bot.scopes);
    const owner = { spaceId, botId, tokenHash: bot.tokenHash, scopes, dialect };
    if (isTicketOf(ticket, bot.tokenHash)) return { owner, connectionId };
    await this.sockets.forget(owner, connectionId);
    throw invalidToken();
  }
}
