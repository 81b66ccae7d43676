/** What a {@link TielineError} carries besides its text. */
export interface TielineErrorDetails {
  /** The HTTP status; 0 when there was no usable answer. */
  readonly status: number;
  /**
   * The answer's `code` (docs/errors.md), or one of this package: see {@link TielineError.code}.
   */
  readonly code: string;
  readonly field?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly requestId?: string | undefined;
  readonly body?: unknown;
  readonly cause?: unknown;
}

/**
 * What every call throws. Its text names the request and the reason, and never holds a token, a
 * query or the secret part of an address.
 */
export class TielineError extends Error {
  override readonly name = 'TielineError';
  readonly status: number;
  /**
   * A code of docs/errors.md; `http_<status>` for an answer without one. With status 0:
   * `network_error`, `timeout` (the last try's), `redirect_refused`, `invalid_answer` (no JSON),
   * `no_web_socket`.
   */
  readonly code: string;
  /** The field of the request that is at fault, if one is. */
  readonly field: string | undefined;
  /** How long the server asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** `X-Request-Id` of the answer: what an operator finds in the logs. */
  readonly requestId: string | undefined;
  /** The answer's body: parsed when it is JSON, else its text. */
  readonly body: unknown;

  constructor(message: string, details: TielineErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.status = details.status;
    this.code = details.code;
    this.field = details.field;
    this.retryAfterMs = details.retryAfterMs;
    this.requestId = details.requestId;
    this.body = details.body;
  }
}
