/** Result of an outgoing request. Times are whole milliseconds from the call to the result. */
export type EgressResult = EgressResponse | EgressRefused | EgressTimeout | EgressTransportError;

/** The receiver answered with any status; 3xx too, because redirects are never followed. */
export interface EgressResponse {
  readonly kind: 'response';
  readonly status: number;
  /** Names in lower case; an array where a header came several times. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The first 64 KiB as received, without content decoding. */
  readonly body: Buffer;
  /** Whether the body was longer. */
  readonly truncated: boolean;
  /** Why the body is incomplete, if it is. The status is valid anyway. */
  readonly broken?: BrokenBody;
  readonly durationMs: number;
}

/** What ended a response between its final status and the end of its body. */
export type BrokenBody = Pick<EgressTimeout, 'kind' | 'error'> | Pick<EgressTransportError, 'kind' | 'error'>;

/** The policy refused the target; nothing was sent and no connection was opened. */
interface EgressRefused {
  readonly kind: 'refused';
  readonly error: 'address not allowed';
  readonly durationMs: number;
}

/** No final status before the deadline, or no connection in time. */
interface EgressTimeout {
  readonly kind: 'timeout';
  readonly error: 'timeout';
  readonly durationMs: number;
}

/** Name resolution, connection, TLS or the HTTP exchange failed. */
interface EgressTransportError {
  readonly kind: 'transport_error';
  /** Short public text without any address. */
  readonly error: string;
  /** Machine-readable code such as `ECONNREFUSED`, for logs and metrics. */
  readonly code: string;
  readonly durationMs: number;
}
