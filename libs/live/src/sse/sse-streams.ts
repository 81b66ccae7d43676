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
import { StaggeredVisits } from './staggered-visits.js';

/** Maximum unread bytes before a reader is disconnected. */
const MAX_BUFFERED_BYTES = 1_048_576;
const PING_SLOTS = 20;

/** A request to open a stream. */
export interface SseRequest {
  request: FastifyRequest;
  reply: FastifyReply;
  /** The caller authenticated by the route's guard. */
  caller: Principal;
  /** Maximum unread bytes of this reader. Default 1 MiB. */
  maxBufferedBytes?: number;
}

/** Observes opened and closed streams, for metrics. */
export type SseObserver = (open: number, closed?: SseCloseReason) => void;

/**
 * All event streams of this process. Opens them, sends `:ping` every STREAM_KEEPALIVE_SECONDS with
 * one shared timer, closes them within a second when the caller loses access, and ends them at
 * shutdown.
 */
@Injectable()
export class SseStreams implements OnModuleDestroy {
  private readonly streams = new Set<SseStream>();
  private readonly observers: SseObserver[] = [];
  private readonly access: StreamAccess;
  private readonly pings: StaggeredVisits<SseStream>;
  /** Streams by caller, the oldest first. */
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
    this.pings = new StaggeredVisits((streams) => pingAll(streams), {
      periodMs: keepaliveSeconds * 1000,
      slots: PING_SLOTS,
    });
    this.observe((open, closed) => metrics.streams(open, closed));
  }

  /** Number of open streams in this process. */
  get count(): number {
    return this.streams.size;
  }

  /** Calls `observer` whenever a stream was opened or closed. */
  observe(observer: SseObserver): void {
    this.observers.push(observer);
  }

  /**
   * Answers a guarded request with an event stream. The headers are sent when this returns. To
   * avoid a gap, register the stream's source in the same event loop turn. The oldest stream of a
   * caller with more than STREAMS_PER_CALLER ends: docs/streams.md.
   *
   * @throws 503 while this process shuts down or has STREAMS_MAX streams; 405 for HEAD, which
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

  /** Ends every stream, so that clients reconnect to another process, and opens no new ones. */
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

/** Takes the connection over from Fastify and sends status and headers immediately. */
function sendHeaders(reply: FastifyReply): FastifyReply['raw'] {
  const { raw } = reply;
  // Visible to response hooks, unlike headers passed to writeHead alone.
  void reply.header('content-type', 'text/event-stream; charset=utf-8');
  const headers = reply.getHeaders();
  reply.hijack();
  // The connection belongs to this stream and ends with it, so chunks need no lengths.
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
