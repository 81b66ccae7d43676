import type { Dispatcher } from 'undici';
import { AddressNotAllowedError } from '../policy/egress-policy.js';
import type { BrokenBody, EgressResult } from './egress-result.js';
import type { Connection, OriginPool, RequestOptions } from './origin-pools.js';
import {
  errorCode,
  isConnectTimeout,
  isStaleSocketCode,
  TOO_LATE,
  transportErrorText,
} from './transport-errors.js';

/** Maximum number of bytes read of a response body. */
const MAX_RESPONSE_BYTES = 65_536;
const FIRST_FINAL_STATUS = 200;

/** The request of an exchange. */
export interface ExchangeRequest {
  readonly origin: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  /** Null: a GET. */
  readonly body: Buffer | null;
  /** Hard limit over name resolution, connecting, sending, headers and body, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * Limit for the body, from the final status on, in milliseconds; {@link timeoutMs} applies too.
   */
  readonly bodyMs?: number;
  readonly signal?: AbortSignal;
  readonly sendBy?: number;
  /** The connection ends with the response. */
  readonly once?: boolean;
}

/**
 * One POST or GET from dispatch to result. Once the head of a final response has arrived, that
 * response is the result, whatever happens to its body. Until then the first of error, deadline and
 * abort decides. Anything later is dropped together with its connection.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  private readonly startedAt = performance.now();
  private readonly deadline: NodeJS.Timeout;
  private bodyDeadline: NodeJS.Timeout | undefined;
  private readonly chunks: Buffer[] = [];
  private bodyBytes = 0;
  private status = 0;
  private headers: EgressHeaders = {};
  private controller: Dispatcher.DispatchController | undefined;
  private connection: Connection | undefined;
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

  /**
   * Sends the request through the pool. Always resolves, at the latest when the deadline passes.
   */
  static run(pool: OriginPool, request: ExchangeRequest): Promise<EgressResult> {
    return new Promise((resolve) => {
      const exchange = new Exchange(pool, request, resolve);
      if (request.signal?.aborted) exchange.onAborted();
      else exchange.dispatch();
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The connection stays usable if this throws. Nothing can pause between here and the write but
    // the process as a whole.
    if (performance.now() >= (this.request.sendBy ?? Infinity)) throw new TooLate();
    this.controller = controller;
    this.onReusedSocket = (this.connection?.responsesOnSocket ?? 0) > 0;
    this.connection?.awaitResponse();
    // The request waited for a connection until its deadline: it must not be sent now.
    if (this.settled) controller.abort(new Error('settled'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: EgressHeaders): void {
    this.onReusedSocket = false;
    if (this.connection) this.connection.responsesOnSocket++;
    if (this.settled) return;
    this.status = status;
    this.headers = headers;
    const { bodyMs } = this.request;
    if (bodyMs !== undefined) this.bodyDeadline = setTimeout(this.onDeadline, bodyMs);
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
    const code = errorCode(error);
    if (this.hasFinalStatus) {
      this.settleWithResponse(false, { kind: 'transport_error', error: transportErrorText(code) });
    } else if (error instanceof AddressNotAllowedError) {
      this.settle({ kind: 'refused', error: 'address not allowed', durationMs: this.elapsedMs() });
    } else if (this.onReusedSocket && !this.retried && isStaleSocketCode(code)) {
      this.retried = true;
      this.dispatch();
    } else if (isConnectTimeout(code)) {
      this.settleWithTimeout();
    } else {
      this.settleWithError(code);
    }
  }

  private get hasFinalStatus(): boolean {
    return this.status >= FIRST_FINAL_STATUS;
  }

  private dispatch(): void {
    const { origin, path, headers, body, once } = this.request;
    const options: RequestOptions = {
      origin,
      path,
      method: body === null ? 'GET' : 'POST',
      headers,
      body,
      onAssigned: this.onAssigned,
      ...(once && { reset: true }),
    };
    this.pool.dispatcher.dispatch(options, this);
  }

  private readonly onAssigned = (connection: Connection): void => {
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

  private settleWithResponse(truncated: boolean, broken?: BrokenBody): void {
    const body = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks);
    this.settle({
      kind: 'response',
      status: this.status,
      headers: this.headers,
      body,
      truncated,
      ...(broken && { broken }),
      durationMs: this.elapsedMs(),
    });
  }

  private settleWithTimeout(): void {
    if (this.hasFinalStatus) return this.settleWithResponse(false, { kind: 'timeout', error: 'timeout' });
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
    clearTimeout(this.bodyDeadline);
    this.request.signal?.removeEventListener('abort', this.onAborted);
    this.pool.inFlight--;
    this.resolve(result);
  }

  private elapsedMs(): number {
    return Math.round(performance.now() - this.startedAt);
  }
}

class TooLate extends Error {
  readonly code = TOO_LATE;
}

type EgressHeaders = Record<string, string | string[] | undefined>;
