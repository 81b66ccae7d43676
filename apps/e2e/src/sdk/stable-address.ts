import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A stable address while the process behind it is replaced, like that of a service. */
export class StableAddress {
  /** Target of connections. */
  target: URL | undefined;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.on('connection', (client) => this.forward(client));
  }

  static async open(): Promise<StableAddress> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new StableAddress(server);
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
