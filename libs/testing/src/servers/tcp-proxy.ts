import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/**
 * What to do when the client sends `bytes`. `before` cuts the connection, and the server does not
 * receive them. `after` forwards them and cuts the connection when the server responds.
 */
export type CutRule = (bytes: Buffer) => 'before' | 'after' | undefined;

/** A TCP proxy that cuts connections at chosen moments, or silently drops their data. */
export class TcpProxy {
  /** Number of cut connections. */
  cuts = 0;
  private rule: CutRule = () => undefined;
  private readonly sockets = new Set<Socket>();
  private readonly swallowed = new WeakSet<Socket>();

  /** @internal use {@link startTcpProxy} */
  constructor(
    private readonly server: Server,
    private target: URL,
  ) {
    server.on('connection', (client) => this.forward(client));
  }

  /** The target's URL through the proxy. */
  get url(): string {
    const url = new URL(this.target.href);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  /** Sets the rule for cutting connections. */
  cutWhen(rule: CutRule): void {
    this.rule = rule;
  }

  /** Silently drops all data on open connections, in both directions. New connections work. */
  swallow(): void {
    for (const socket of this.sockets) this.swallowed.add(socket);
  }

  /** Cuts open connections and sends new ones to another server. */
  pointTo(url: string): void {
    this.target = new URL(url);
    for (const socket of [...this.sockets]) socket.destroy();
  }

  /** Cuts open connections and stops listening. */
  async close(): Promise<void> {
    for (const socket of [...this.sockets]) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private forward(client: Socket): void {
    const upstream = connect({ host: this.target.hostname, port: Number(this.target.port || 5432) });
    let doomed = false;
    const end = (): void => {
      if (this.swallowed.has(client) && !client.destroyed) return;
      client.destroy();
      upstream.destroy();
    };
    const cut = (): void => {
      this.cuts += 1;
      end();
    };
    this.watch(client, end);
    this.watch(upstream, end);
    client.on('data', (bytes: Buffer) => {
      if (this.swallowed.has(client)) return;
      const verdict = doomed ? undefined : this.rule(bytes);
      if (verdict === 'before') return cut();
      doomed ||= verdict === 'after';
      upstream.write(bytes);
    });
    upstream.on('data', (bytes: Buffer) => {
      if (this.swallowed.has(client)) return;
      if (doomed) cut();
      else client.write(bytes);
    });
  }

  private watch(socket: Socket, end: () => void): void {
    this.sockets.add(socket.setNoDelay(true));
    socket.on('error', end).on('close', () => {
      this.sockets.delete(socket);
      end();
    });
  }
}

/** Starts a proxy in front of `url` that cuts nothing yet. */
export async function startTcpProxy(url: string): Promise<TcpProxy> {
  const server = createServer();
  const proxy = new TcpProxy(server, new URL(url));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return proxy;
}
