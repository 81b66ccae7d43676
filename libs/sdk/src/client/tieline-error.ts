/** Properties of a {@link TielineError}. */
export interface TielineErrorDetails {
  /** HTTP status. 0 without a usable response. */
  readonly status: number;
  /**
   * The response's `code` (docs/errors.md), or one of this package: see {@link TielineError.code}.
   */
  readonly code: string;
  readonly field?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly requestId?: string | undefined;
  readonly body?: unknown;
  readonly cause?: unknown;
}

/**
 * Error of every call. Its text names the request and the reason, and never contains tokens,
 * queries or secret parts of an address.
 */
export class TielineError extends Error {
  override readonly name = 'TielineError';
  readonly status: number;
  /**
   * A code of docs/errors.md, or `http_<status>` for a response without one. With status 0:
   * `network_error`, `timeout` (of the last attempt), `redirect_refused`, `invalid_answer` (not
   * JSON), `no_web_socket`.
   */
  readonly code: string;
  /** The invalid field of the request, if any. */
  readonly field: string | undefined;
  /** How long the server asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** `X-Request-Id` of the response, which operators find in the logs. */
  readonly requestId: string | undefined;
  /** The response body: parsed JSON, or text. */
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
