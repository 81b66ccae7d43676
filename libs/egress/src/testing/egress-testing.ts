import { once } from 'node:events';
import net from 'node:net';
import { startReceiver, type Receiver } from '@tieline/testing';
import { EgressClient, type EgressClientOptions, type EgressRequest } from '../client/egress-client.js';
import { EgressPolicy } from '../policy/egress-policy.js';
import type { ResolveHost } from '../policy/resolve-host.js';

const LOOPBACK = ['127.0.0.0/8'];
/** Resources opened by the test, closed afterwards in reverse order. */
export const closers: (() => Promise<unknown> | void)[] = [];

/** Closes what the test opened: for `afterEach`. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

/** Settings of {@link clientFor}. */
export interface ClientSetup extends Partial<EgressClientOptions> {
  allowedCidrs?: string[];
  resolve?: ResolveHost;
}

/** Returns a client that may reach loopback by default; closed after the test. */
export function clientFor({ allowedCidrs = LOOPBACK, resolve, ...options }: ClientSetup = {}): EgressClient {
  const policy = new EgressPolicy({ allowHttp: true, allowedCidrs, resolve });
  const client = new EgressClient(policy, { version: '1.2.3', connectTimeoutMs: 60_000, ...options });
  closers.push(() => client.close());
  return client;
}

/** A recording HTTP server, closed after the test. */
export async function receiver(handler?: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
  const started = await startReceiver(handler);
  closers.push(() => started.close());
  return started;
}

/** A server with a custom handler for raw sockets, closed after the test. */
export async function rawServer(
  onConnection: (socket: net.Socket) => void,
): Promise<{ port: number; connections: number }> {
  const sockets = new Set<net.Socket>();
  const state = { port: 0, connections: 0 };
  const server = net.createServer((socket) => {
    state.connections++;
    sockets.add(socket.on('error', () => undefined).once('close', () => sockets.delete(socket)));
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  state.port = (server.address() as net.AddressInfo).port;
  closers.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return state;
}

/** A small JSON request. */
export function request(url: string, overrides: Partial<EgressRequest> = {}): EgressRequest {
  return {
    url,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{"a":1}'),
    timeoutMs: 60_000,
    ...overrides,
  };
}

/** A complete response. */
export const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
/** Returns the same address under another name. */
export const named = (hostname: string, url: string) => Object.assign(new URL(url), { hostname }).href;
