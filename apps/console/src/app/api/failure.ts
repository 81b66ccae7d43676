/**
 * What an endpoint refused, or why it could not be asked. Everything that goes wrong in a call
 * becomes one of these.
 */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';

  constructor(
    /** HTTP status; 0 when no answer came. */
    readonly status: number,
    /** The stable code of docs/errors.md; `network` when no answer came. */
    readonly code: string,
    /** The server's own words. */
    text: string,
    /** The field of the request that is at fault. */
    readonly field?: string,
    /** Of a form with several faults: text by field. */
    readonly errors?: Readonly<Record<string, string>>,
    /** Seconds after which it may be tried again. */
    readonly retryAfter?: number,
    /** By which the server's log finds the request. */
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
 * Reads an answer of the API. It never throws: a page of some proxy is a failure like any other.
 * @param body the parsed body, or its text; without a `response` whatever `fetch` threw
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

/** Errors by the name of the form's field, for what the form itself shows beside its fields. */
export function fieldErrors(failure: unknown): Record<string, string> {
  if (!(failure instanceof ApiFailure)) return {};
  if (failure.errors) return { ...failure.errors };
  // `options[0].name` belongs to the field `options`.
  const name = failure.field?.split(/[.[]/)[0];
  return name ? { [name]: failure.message } : {};
}
