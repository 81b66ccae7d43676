import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { slackMs } from '../slack.js';
import { TEST_SERVER_CERTIFICATE, TEST_SERVER_KEY } from './test-certificates.js';

/** A request as received. */
export interface ReceivedRequest {
  method: string;
  /** Path and query, relative to the receiver's address. */
  url: string;
  headers: IncomingHttpHeaders;
  /** The raw bytes, over which signatures are verified. */
  body: Buffer;
  /** Time at which the whole body had arrived, in epoch milliseconds. */
  at: number;
}

/**
 * The response to a request: a status, or a whole response (an object body is sent as JSON). `hang`
 * never responds. `reset` cuts the connection. `drip` sends its headers immediately and then one
 * byte every `everyMs` without end.
 */
export type ReceiverAnswer =
  | number
  | { status?: number; headers?: Record<string, string>; body?: string | Buffer | object; delayMs?: number }
  | { drip: { everyMs: number } }
  | 'hang'
  | 'reset';

/** Chooses the response to a request. */
export type ReceiverHandler = (request: ReceivedRequest) => ReceiverAnswer | Promise<ReceiverAnswer>;

/**
 * Longer than any client keeps an idle connection. A server that closes it first breaks the next
 * request of a busy process.
 */
const KEEP_ALIVE_MS = 300_000;

interface Waiter {
  isMet: () => boolean;
  resolve: () => void;
}

/**
 * A real HTTP server on 127.0.0.1 that records requests. Created by {@link startReceiver}. Its
 * address has a unique path, so that requests to an earlier server on the same port get 404 and are
 * not recorded. It is strict: a request with a repeated header gets 400 and is not recorded.
 */
export class Receiver {
  /** In order of arrival. */
  readonly requests: ReceivedRequest[] = [];
  /** Number of requests that have arrived and have no complete response yet. */
  inFlight = 0;
  private readonly path = `/${randomBytes(4).toString('hex')}`;
  private waiters: Waiter[] = [];

  constructor(
    readonly server: Server,
    private handler: ReceiverHandler,
    private readonly origin = 'http://127.0.0.1',
  ) {
    server.on('request', (request, response) => void this.take(request, response));
  }

  /** Without a trailing slash. */
  get url(): string {
    return `${this.origin}:${(this.server.address() as AddressInfo).port}${this.path}`;
  }

  /** Sets the response for later requests. */
  respond(handler: ReceiverAnswer | ReceiverHandler): void {
    this.handler = asHandler(handler);
  }

  /**
   * Resolves with all requests when there are `count`, or with the first match. Rejects after
   * `timeoutMs`, 20,000 by default.
   */
  waitFor(count: number, timeoutMs?: number): Promise<ReceivedRequest[]>;
  waitFor(matches: (request: ReceivedRequest) => boolean, timeoutMs?: number): Promise<ReceivedRequest>;
  async waitFor(
    wanted: number | ((request: ReceivedRequest) => boolean),
    timeoutMs = 20_000,
  ): Promise<ReceivedRequest[] | ReceivedRequest> {
    if (typeof wanted === 'number') {
      await this.until(() => this.requests.length >= wanted, timeoutMs, `${wanted} requests`);
      return [...this.requests];
    }
    let found: ReceivedRequest | undefined;
    await this.until(
      () => (found = this.requests.find(wanted)) !== undefined,
      timeoutMs,
      'a matching request',
    );
    return found as ReceivedRequest;
  }

  /** Cuts every connection and stops listening. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private until(isMet: () => boolean, timeoutMs: number, what: string): Promise<void> {
    if (isMet()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiters = this.waiters.filter((other) => other !== waiter);
        reject(new Error(`waited ${timeoutMs} ms for ${what}, got ${this.requests.length} requests`));
      }, timeoutMs + slackMs);
      const waiter: Waiter = {
        isMet,
        resolve: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      this.waiters.push(waiter);
    });
  }

  private async take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const below = incoming.url?.startsWith(this.path) ? incoming.url.slice(this.path.length) : undefined;
    const repeated = repeatedHeader(incoming.rawHeaders);
    if (below === undefined || !/^([/?]|$)/.test(below)) response.writeHead(404).end();
    else if (repeated !== undefined) response.writeHead(400).end(`the header ${repeated} came twice`);
    else await this.serve(incoming, below.startsWith('/') ? below : `/${below}`, response);
  }

  private async serve(incoming: IncomingMessage, url: string, response: ServerResponse): Promise<void> {
    this.inFlight += 1;
    response.once('close', () => (this.inFlight -= 1));
    response.on('error', () => undefined);
    try {
      const request = await record(incoming, url);
      this.requests.push(request);
      const met = this.waiters.filter((waiter) => waiter.isMet());
      this.waiters = this.waiters.filter((waiter) => !met.includes(waiter));
      for (const waiter of met) waiter.resolve();
      await answer(response, await this.handler(request));
    } catch {
      // The sender disconnected while sending the body, or the handler threw. A broken receiver
      // breaks the connection.
      incoming.destroy();
    }
  }
}

/** Starts a receiver on a free port. By default it responds with 200. `close()` it at the end. */
export async function startReceiver(handler: ReceiverAnswer | ReceiverHandler = 200): Promise<Receiver> {
  return listening(new Receiver(createServer({ keepAliveTimeout: KEEP_ALIVE_MS }), asHandler(handler)));
}

/**
 * Starts a receiver with TLS at `https://receiver.test:…`. See {@link publicName} for how a program
 * reaches it.
 */
export async function startTlsReceiver(handler: ReceiverAnswer | ReceiverHandler = 200): Promise<Receiver> {
  const tls = { keepAliveTimeout: KEEP_ALIVE_MS, key: TEST_SERVER_KEY, cert: TEST_SERVER_CERTIFICATE };
  return listening(new Receiver(createTlsServer(tls), asHandler(handler), 'https://receiver.test'));
}

async function listening(receiver: Receiver): Promise<Receiver> {
  const { server } = receiver;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 }, resolve);
  });
  return receiver;
}

/**
 * Returns a handler that fails the first `times` requests with `status` and then responds with 200.
 */
export function failing(times: number, status = 500): ReceiverHandler {
  let left = times;
  return () => {
    left -= 1;
    return left >= 0 ? status : 200;
  };
}

function asHandler(handler: ReceiverAnswer | ReceiverHandler): ReceiverHandler {
  return typeof handler === 'function' ? handler : () => handler;
}

/** Returns the first name that occurs twice in a list of alternating names and values. */
function repeatedHeader(rawHeaders: readonly string[]): string | undefined {
  const names = rawHeaders.filter((_text, n) => n % 2 === 0).map((name) => name.toLowerCase());
  return names.find((name, n) => names.indexOf(name) !== n);
}

async function record(incoming: IncomingMessage, url: string): Promise<ReceivedRequest> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return {
    method: incoming.method ?? '',
    url,
    headers: incoming.headers,
    body: Buffer.concat(parts),
    at: Date.now(),
  };
}

async function answer(response: ServerResponse, wanted: ReceiverAnswer): Promise<void> {
  if (wanted === 'hang') return;
  if (wanted === 'reset') {
    response.destroy();
    return;
  }
  if (typeof wanted === 'number') {
    response.writeHead(wanted).end();
    return;
  }
  if ('drip' in wanted) {
    drip(response, wanted.drip.everyMs);
    return;
  }
  if (wanted.delayMs) await sleep(wanted.delayMs);
  const isJson = typeof wanted.body === 'object' && !Buffer.isBuffer(wanted.body);
  response.writeHead(wanted.status ?? 200, {
    ...(isJson ? { 'content-type': 'application/json' } : {}),
    ...wanted.headers,
  });
  response.end(isJson ? JSON.stringify(wanted.body) : wanted.body);
}

function drip(response: ServerResponse, everyMs: number): void {
  response.writeHead(200);
  response.flushHeaders();
  const timer = setInterval(() => response.write('.'), everyMs);
  response.once('close', () => clearInterval(timer));
}
