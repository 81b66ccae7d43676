import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Db } from '@tieline/platform/database';
import {
  ApiError,
  bearerToken,
  invalidToken,
  refuseUpgrade,
  requireScope,
  takeUpgrades,
  tokenOfAPerson,
  TokenResolvers,
  unavailable,
} from '@tieline/platform/http';
import { hashToken } from '@tieline/signing';
import type { FastifyInstance } from 'fastify';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { pollingDisabled } from '../bots.errors.js';
import { PollSettings } from '../bots.settings.js';
import { BotSocket } from './bot-socket.js';
import { NATIVE_DIALECT } from './native-dialect.js';
import { BotSockets } from './bot-sockets.js';
import { openSocket } from './open-socket.js';
import type { SocketOwner } from './socket-owner.js';
import { FIND_BOT_OF_INACTIVE_SPACE } from './sockets.statements.js';

const PATH = '/api/v1/bot/socket';
const PROTOCOL = 'tieline.v1';
const BEARER = 'tieline.bearer.';
/** Maximum size of a message from a bot. */
const MAX_MESSAGE_BYTES = 65_536;
const CLOSE_CODES: Readonly<Record<number, number>> = {
  401: 4401,
  403: 4403,
  409: 4409,
  429: 4429,
};
const INACTIVE_SPACE = 4403;
const TRY_AGAIN_LATER = 1013;

/**
 * Accepts sockets of bots, authenticated by a bearer header or, from a browser, by a subprotocol
 * that contains the token (docs/socket.md#connect).
 */
@Injectable()
export class SocketEndpoint implements OnApplicationBootstrap {
  private readonly server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  });

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly db: Db,
    private readonly resolvers: TokenResolvers,
    private readonly sockets: BotSockets,
    private readonly polling: PollSettings,
  ) {}

  onApplicationBootstrap(): void {
    // A process without HTTP accepts no sockets.
    const fastify = this.host.httpAdapter?.getInstance<FastifyInstance | undefined>();
    if (fastify?.server)
      takeUpgrades(fastify, PATH, (request, socket, head) => void this.take(request, socket, head));
  }

  private async take(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => undefined);
    const token = offeredToken(request);
    const id = BotSocket.newId();
    try {
      const owner = await this.admit(token ?? bearerToken(request.headers.authorization), id);
      socket.once('close', () => void this.sockets.forget(owner, id));
      this.accept(request, socket, head, (ws) => this.sockets.add(ws, owner, id));
    } catch (error) {
      if (token === undefined) return refuseUpgrade(request, socket, error);
      const code = await this.codeOf(error, token);
      this.accept(request, socket, head, (ws) => end(ws, code, error));
    }
  }

  private accept(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    then: (ws: WebSocket) => void,
  ): void {
    this.server.handleUpgrade(request, socket, head, then);
  }

  /**
   * @throws 401 invalid token. 403 without the scope `events`. 409 in another mode or with another
   * event format. 429 too many sockets. 503 while this process shuts down, or if polling is
   * disabled.
   */
  private async admit(token: string, connectionId: string): Promise<SocketOwner> {
    if (this.sockets.isClosing) throw unavailable();
    const caller = await this.resolvers.resolve(token);
    if (caller?.kind === 'user') throw tokenOfAPerson();
    if (caller?.kind !== 'bot') throw invalidToken();
    requireScope(caller, 'events');
    if (!this.polling.enabled) throw pollingDisabled();
    const { spaceId, botId, scopes } = caller;
    const owner = { spaceId, botId, scopes, tokenHash: hashToken(token), dialect: NATIVE_DIALECT };
    await openSocket(this.db, owner, connectionId);
    return owner;
  }

  private async codeOf(error: unknown, token: string): Promise<number> {
    if (!(error instanceof ApiError)) return TRY_AGAIN_LATER;
    if (error.status === 401 && (await this.isOfInactiveSpace(token))) return INACTIVE_SPACE;
    return CLOSE_CODES[error.status] ?? TRY_AGAIN_LATER;
  }

  private async isOfInactiveSpace(token: string): Promise<boolean> {
    return (await this.db.query(FIND_BOT_OF_INACTIVE_SPACE, [hashToken(token)]).catch(() => [])).length > 0;
  }
}

/**
 * Returns the token from the subprotocol of a browser, which cannot set headers; undefined if there
 * is an authorization header or no such token.
 */
function offeredToken({ headers }: IncomingMessage): string | undefined {
  if (headers.authorization !== undefined) return undefined;
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  return offered.find((name) => name.startsWith(BEARER))?.slice(BEARER.length);
}

function end(ws: WebSocket, code: number, error: unknown): void {
  ws.on('error', () => undefined);
  ws.close(code, error instanceof ApiError ? error.text : 'service unavailable');
}
