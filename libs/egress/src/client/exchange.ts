import type { Dispatcher } from 'undici';
import { AddressNotAllowedError } from '../policy/egress-policy.js';
import type { EgressResult } from './egress-result.js';
import type { CountingClient, OriginPool, RequestOptions } from './origin-pools.js';
import { errorCode, isConnectTimeout, isStaleSocketCode, transportErrorText } from './transport-errors.js';

/** How much of a response body is read, in bytes. */
export const MAX_RESPONSE_BYTES = 65_536;

/** What an exchange sends. */
export interface ExchangeRequest {
  readonly origin: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  /** Hard limit over name resolution, connecting, sending, headers and body, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** The connection ends with the response. */
  readonly once?: boolean;
}

/**
 * One POST from dispatch to result. The first of response, error, deadline and abort settles it; whatever comes later is
 * dropped together with the connection that it came on.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  private readonly startedAt = performance.now();
  private readonly deadline: NodeJS.Timeout;
  private readonly chunks: Buffer[] = [];
  private bodyBytes = 0;
  private status = 0;
  private headers: EgressHeaders = {};
  private controller: Dispatcher.DispatchController | undefined;
  private connection: CountingClient | undefined;
  private onReusedSocket = false;
  private retried = false;
  private settled = false;

  private constructor(
    private readonly pool: OriginPool,
    private readonly request: ExchangeRequest,
    private readonly resolve: (result: EgressResult) => void,
  ) {
    this.deadline = setTimeout(this.onDeadline, request.timeoutMs);
    request.signal?.addEventListener('abort', this.onAborted, { once: true });
    pool.inFlight++;
  }

  /** Sends the request through the pool. Always resolves, at the latest when the deadline passes. */
  static run(pool: OriginPool, request: ExchangeRequest): Promise<EgressResult> {
    return new Promise((resolve) => {
      const exchange = new Exchange(pool, request, resolve);
      if (request.signal?.aborted) exchange.onAborted();
      else exchange.dispatch();
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    this.onReusedSocket = (this.connection?.responsesOnSocket ?? 0) > 0;
    // The request waited for a connection until its deadline: nothing of it may be sent now.
    if (this.settled) controller.abort(new Error('settled'));
  }

  /** Interim responses come here too; the final one replaces them. */
  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: EgressHeaders): void {
    this.onReusedSocket = false;
    this.status = status;
    this.headers = headers;
    if (this.connection) this.connection.responsesOnSocket++;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = MAX_RESPONSE_BYTES - this.bodyBytes;
    this.chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    this.bodyBytes += chunk.length;
    if (chunk.length <= room) return;
    this.settleWithResponse(true);
    controller.abort(new Error('response body too long'));
  }

  onResponseEnd(): void {
    this.settleWithResponse(false);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.settled) return;
    if (error instanceof AddressNotAllowedError) {
      this.settle({ kind: 'refused', error: 'address not allowed', durationMs: this.elapsedMs() });
      return;
    }
    const code = errorCode(error);
    if (this.onReusedSocket && !this.retried && isStaleSocketCode(code)) {
      this.retried = true;
      this.dispatch();
    } else if (isConnectTimeout(code)) {
      this.settleWithTimeout();
    } else {
      this.settleWithError(code);
    }
  }

  private dispatch(): void {
    const { origin, path, headers, body, once } = this.request;
    const options: RequestOptions = {
      origin,
      path,
      method: 'POST',
      headers,
      body,
      onAssigned: this.onAssigned,
      ...(once && { reset: true }),
    };
    this.pool.dispatcher.dispatch(options, this);
  }

  private readonly onAssigned = (connection: CountingClient): void => {
    this.connection = connection;
  };

  private readonly onDeadline = (): void => {
    this.settleWithTimeout();
    this.controller?.abort(new Error('deadline passed'));
  };

  private readonly onAborted = (): void => {
    this.settleWithError('ABORTED');
    this.controller?.abort(new Error('aborted'));
  };

  private settleWithResponse(truncated: boolean): void {
    const body = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks);
    this.settle({
      kind: 'response',
      status: this.status,
      headers: this.headers,
      body,
      truncated,
      durationMs: this.elapsedMs(),
    });
  }

  private settleWithTimeout(): void {
    this.settle({ kind: 'timeout', error: 'timeout', durationMs: this.elapsedMs() });
  }

  private settleWithError(code: string): void {
    this.settle({
      kind: 'transport_error',
      error: transportErrorText(code),
      code,
      durationMs: this.elapsedMs(),
    });
  }

  private settle(result: EgressResult): void {
    if (this.settled) return;
    this.settled = true;
    clearTimeout(this.deadline);
    this.request.signal?.removeEventListener('abort', this.onAborted);
    this.pool.inFlight--;
    this.resolve(result);
  }

  private elapsedMs(): number {
    return Math.round(performance.now() - this.startedAt);
  }
}

type EgressHeaders = Record<string, string | string[] | undefined>;
