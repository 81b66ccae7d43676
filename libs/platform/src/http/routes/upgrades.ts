import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { toApiError } from '../error-filter.js';
import { answerAndCut } from '../limits/unreadable-request.js';

/**
 * Takes over the connection of a handshake. `head`: bytes that the client has already sent after
 * it.
 */
export type TakeUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

declare module 'fastify' {
  interface FastifyInstance {
    /** Who takes the handshakes for a route, by its pattern. */
    upgradeTakers?: Map<string, TakeUpgrade>;
  }
}

const HOP_HEADERS = new Set(['upgrade', 'http2-settings']);

/**
 * Takes WebSocket handshakes for the route with this pattern. Every other request that offers an
 * upgrade (some clients offer HTTP/2 with each) is answered normally. Node does that by itself only
 * while there is no listener for upgrades.
 */
export function takeUpgrades(fastify: FastifyInstance, pattern: string, take: TakeUpgrade): void {
  const takers = (fastify.upgradeTakers ??= new Map<string, TakeUpgrade>());
  if (takers.size === 0) listen(fastify, takers);
  takers.set(pattern, take);
}

/** A single listener, because a request must be passed on only once. */
function listen(fastify: FastifyInstance, takers: ReadonlyMap<string, TakeUpgrade>): void {
  const server = fastify.server as Server;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const isWebSocket = (request.headers.upgrade ?? '').toLowerCase() === 'websocket';
    const take = takers.get(fastify.knownRoutes.at(request)?.pattern ?? '');
    if (isWebSocket && request.method === 'GET' && take) return take(request, socket, head);
    socket.unshift(Buffer.concat([headOf(request), head]));
    server.emit('connection', socket);
  });
}

/** Returns the request line and headers unchanged, but without the offer. */
function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    const kept = name.toLowerCase() === 'connection' ? withoutOffer(value) : value;
    if (!HOP_HEADERS.has(name.toLowerCase()) && kept !== '') lines.push(`${name}: ${kept}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

function withoutOffer(connection: string): string {
  const options = connection.split(',').map((option) => option.trim());
  return options.filter((option) => !HOP_HEADERS.has(option.toLowerCase())).join(', ');
}

/** Answers a handshake with an error, in the shape of every other, and ends the connection. */
export function refuseUpgrade(request: IncomingMessage, socket: Duplex, error: unknown): void {
  answerAndCut(socket as Socket, toApiError(error), { request });
}
