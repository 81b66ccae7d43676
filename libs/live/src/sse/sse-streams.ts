import { Injectable } from '@nestjs/common';
import type { OnModuleDestroy } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  callerKey,
  credentialOf,
  methodNotAllowed,
  TokenResolvers,
  unavailable,
} from '@tieline/platform/http';
import type { Principal } from '@tieline/platform/http';
import { AccessChanges } from '../access/access-changes.js';
import { LiveMetrics } from '../live.metrics.js';
import { LiveSettings } from '../live.settings.js';
import { SseStream } from './sse-stream.js';
import type { SseCloseReason } from './sse-stream.js';
import { StreamAccess } from './stream-access.js';
import { Wheel } from './wheel.js';

/** What a reader may leave unread before it is disconnected, in bytes. */
const MAX_BUFFERED_BYTES = 1_048_576;
const PING_SLOTS = 20;

/** Who opens a stream. */
export interface SseRequest {
  request: FastifyRequest;
  reply: FastifyReply;
  /** The caller whom the route's guard let in. */
  caller: Principal;
  /** Bytes that may wait for this reader; default 1 MiB. */
  maxBufferedBytes?: number;
}

/** Told about streams coming and going, for metrics. */
export type SseObserver = (open: number, closed?: SseCloseReason) => void;

/**
 * All event streams of this process: opens them, keeps them alive with one shared timer (`:ping`
 * every STREAM_KEEPALIVE_SECONDS), closes them within a second when the caller loses access, and
 * ends them at shutdown.
 */
@Injectable()
export class SseStreams implements OnModuleDestroy {
  private readonly streams = new Set<SseStream>();
  private readonly observers: SseObserver[] = [];
  private readonly access: StreamAccess;
  private readonly pings: Wheel<SseStream>;
  /** Those of one person or bot, the oldest first. */
  private readonly byCaller = new Map<string, Set<SseStream>>();
  private readonly limits: { perCaller: number; perProcess: number };
  private closing = false;

  constructor(
    resolvers: TokenResolvers,
    changes: AccessChanges,
    { keepaliveSeconds, perCaller, perProcess }: LiveSettings,
    metrics: LiveMetrics,
  ) {
    this.limits = { perCaller, perProcess };
    this.access = new StreamAccess(resolvers, changes);
    this.pings = new Wheel((streams) => pingAll(streams), {
      periodMs: keepaliveSeconds * 1000,
      slots: PING_SLOTS,
    });
    this.observe((open, closed) => metrics.streams(open, closed));
  }

  /** Streams open in this process. */
  get count(): number {
    return this.streams.size;
  }

  /** Calls `observer` whenever a stream opened or closed. */
  observe(observer: SseObserver): void {
    this.observers.push(observer);
  }

  /**
   * Answers a guarded request with an event stream; the headers are on their way when this returns.
   * Whoever feeds the stream must have no gap: register the receiver in the same turn as this call.
   *
   * Of one caller's streams over STREAMS_PER_CALLER the oldest ends (decisions, section 11.1).
   *
   * @throws 503 while this process shuts down, or has STREAMS_MAX streams; 405 for HEAD, which
   * Fastify routes here as well
   */
  open({ request, reply, caller, maxBufferedBytes = MAX_BUFFERED_BYTES }: SseRequest): SseStream {
    if (request.method !== 'GET') throw methodNotAllowed(['GET']);
    if (this.closing) throw unavailable();
    const key = callerKey(caller);
    this.makeRoom(key);
    const { token } = credentialOf(request);
    const stream = new SseStream(sendHeaders(reply), maxBufferedBytes);
    this.streams.add(stream);
    this.remember(key, stream);
    this.access.watch(stream, token, caller);
    const slot = this.pings.add(stream);
    this.tell();
    stream.onClose((reason) => {
      this.streams.delete(stream);
      this.forget(key, stream);
      this.pings.remove(stream, slot);
      this.tell(reason);
    });
    return stream;
  }

  /**
   * Ends every stream, so that clients come back to another process; from now on none is opened.
   */
  async onModuleDestroy(): Promise<void> {
    this.closing = true;
    for (const stream of [...this.streams]) stream.close('shutdown');
    await this.access.close();
  }

  /** @throws 503 */
  private makeRoom(key: string): void {
    const own = this.byCaller.get(key);
    const [oldest] = own ?? [];
    if (oldest && own && own.size >= this.limits.perCaller) oldest.close('superseded');
    if (this.streams.size >= this.limits.perProcess) throw unavailable();
  }

  private remember(key: string, stream: SseStream): void {
    const own = this.byCaller.get(key);
    if (own) own.add(stream);
    else this.byCaller.set(key, new Set([stream]));
  }

  private forget(key: string, stream: SseStream): void {
    const own = this.byCaller.get(key);
    own?.delete(stream);
    if (own?.size === 0) this.byCaller.delete(key);
  }

  private tell(closed?: SseCloseReason): void {
    for (const observer of this.observers) observer(this.streams.size, closed);
  }
}

function pingAll(streams: ReadonlySet<SseStream>): void {
  for (const stream of streams) stream.ping();
}

/** Takes the connection out of Fastify's hands and sends status and headers at once. */
function sendHeaders(reply: FastifyReply): FastifyReply['raw'] {
  const { raw } = reply;
  // Seen by who observes answers: what is given to writeHead alone can't be asked for again.
  void reply.header('content-type', 'text/event-stream; charset=utf-8');
  const headers = reply.getHeaders();
  reply.hijack();
  // The connection belongs to this stream and ends with it; so no chunk needs a length of its own.
  raw.useChunkedEncodingByDefault = false;
  raw.writeHead(200, {
    ...(headers as Record<string, string>),
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    connection: 'close',
  });
  raw.flushHeaders();
  return raw;
}
