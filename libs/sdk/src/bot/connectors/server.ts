import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nodeHandler } from './adapters.js';
import type { Connector, ConnectorDependencies } from './connector.js';
import type { Receiver } from './receiver.js';

/** Address that a bot listens on. */
export interface Listening {
  port: number;
  host?: string;
}

/** The bot's own HTTP server for pushes and callbacks, at any path. */
export class CallbackConnector implements Connector {
  private server: Server | undefined;
  private isClosing = false;

  constructor(
    private readonly services: ConnectorDependencies,
    private readonly receiver: Receiver,
    private readonly listening: Listening,
  ) {}

  get port(): number {
    return (this.server?.address() as AddressInfo | null)?.port ?? this.listening.port;
  }

  async start(): Promise<void> {
    const { createServer } = await import('node:http');
    const handle = nodeHandler(this.receiver, this.services.log);
    const server = createServer((request, response) => {
      // Tieline retries and reaches the next process of this bot, if there is one.
      if (this.isClosing) response.writeHead(503, { connection: 'close' }).end();
      else void handle(request, response);
    });
    this.server = server;
    const { port, host } = this.listening;
    await new Promise<void>((ready, failed) => {
      server.once('error', failed);
      server.listen(port, host, ready);
    });
    this.services.log(`listening for callbacks on port ${this.port}`);
  }

  close(): Promise<void> {
    this.isClosing = true;
    return Promise.resolve();
  }

  async end(): Promise<void> {
    const { server } = this;
    if (!server) return;
    const closed = new Promise<void>((done) => server.close(() => done()));
    server.closeIdleConnections();
    const force = setTimeout(() => server.closeAllConnections(), 1000);
    await closed;
    clearTimeout(force);
  }
}
