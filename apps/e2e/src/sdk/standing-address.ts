import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** An address that stays while the process behind it is replaced, as a service's does. */
export class StandingAddress {
  /** Where connections go. */
  target: URL | undefined;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.on('connection', (client) => this.forward(client));
  }

  static async open(): Promise<StandingAddress> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new StandingAddress(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private forward(client: Socket): void {
    if (!this.target) return void client.destroy();
    const upstream = connect({ host: this.target.hostname, port: Number(this.target.port) });
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      this.sockets.add(socket);
      socket.on('error', end);
      socket.on('close', () => (this.sockets.delete(socket), end()));
    }
    client.pipe(upstream).pipe(client);
  }
}
