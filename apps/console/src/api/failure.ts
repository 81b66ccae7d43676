/**
 * An error returned by an endpoint, or a failed request. Every failure of a call is one of these.
 */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';

  constructor(
    /** HTTP status, or 0 without a response. */
    readonly status: number,
    /** The code from docs/errors.md, or `network` without a response. */
    readonly code: string,
    /** The server's error text. */
    text: string,
    /** The invalid field of the request. */
    readonly field?: string,
    /** Error texts by field, for forms with several errors. */
    readonly errors?: Readonly<Record<string, string>>,
    /** Seconds to wait before a retry. */
    readonly retryAfter?: number,
    /** Id of the request in the server's log. */
    readonly requestId?: string,
  ) {
    super(text);
  }
}

interface ErrorBody {
  error?: unknown;
  code?: unknown;
  field?: unknown;
  errors?: Record<string, string>;
}

/**
 * Converts an API response to a failure. Never throws, even for the HTML page of a proxy.
 *
 * @param body the parsed body or its text; without a `response`, the error thrown by `fetch`
 */
export function toFailure(body: unknown, response: Response | undefined): ApiFailure {
  if (body instanceof ApiFailure) return body;
  if (!response) return new ApiFailure(0, 'network', body instanceof Error ? body.message : 'no answer');
  const { error, code, field, errors } = (typeof body === 'object' && body ? body : {}) as ErrorBody;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiFailure(
    response.status,
    typeof code === 'string' ? code : 'unknown',
    typeof error === 'string' ? error : `HTTP ${response.status}`,
    typeof field === 'string' ? field : undefined,
    errors,
    Number.isFinite(seconds) ? seconds : undefined,
    response.headers.get('x-request-id') ?? undefined,
  );
}

/** Returns errors by form field, for forms that show errors next to fields. */
export function fieldErrors(failure: unknown): Record<string, string> {
  if (!(failure instanceof ApiFailure)) return {};
  if (failure.errors) return { ...failure.errors };
  // `options[0].name` belongs to the field `options`.
  const name = failure.field?.split(/[.[]/)[0];
  return name ? { [name]: failure.message } : {};
}
