import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { BotSockets, SocketTickets } from '@tieline/bots';
import { refuseUpgrade, takeUpgrades } from '@tieline/platform/http';
import type { FastifyInstance } from 'fastify';
import { WebSocketServer } from 'ws';
import { SOCKET_PATH, TICKET } from '../paths.js';
import { SlackDialect } from './slack-dialect.js';

/** Maximum size of a message from an app. Answers to commands can have many blocks. */
const MAX_MESSAGE_BYTES = 262_144;

/** Accepts sockets of Slack apps, each by a ticket (docs/slack-apps.md#socket-mode). */
@Injectable()
export class SocketModeEndpoint implements OnApplicationBootstrap {
  private readonly server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly tickets: SocketTickets,
    private readonly sockets: BotSockets,
    private readonly dialect: SlackDialect,
  ) {}

  onApplicationBootstrap(): void {
    // A process without HTTP accepts no sockets.
    const fastify = this.host.httpAdapter?.getInstance<FastifyInstance | undefined>();
    if (!fastify?.server) return;
    takeUpgrades(fastify, `/${SOCKET_PATH}`, (request, socket, head) => {
      const ticket = fastify.knownRoutes.queryOf(request).get(TICKET) ?? '';
      void this.take(ticket, request, socket, head);
    });
  }

  private async take(ticket: string, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => undefined);
    try {
      const { owner, connectionId } = await this.tickets.take(ticket, this.dialect);
      socket.once('close', () => void this.sockets.forget(owner, connectionId));
      this.server.handleUpgrade(request, socket, head, (ws) => this.sockets.add(ws, owner, connectionId));
    } catch (error) {
      refuseUpgrade(request, socket, error);
    }
  }
}
