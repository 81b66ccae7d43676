/** The scope that a token lacks, and the scopes it has. */
export interface RefusedScopes {
  readonly required: string;
  readonly granted: readonly string[];
}

/** Details of an error besides its code and text. */
export interface ErrorDetails {
  headers?: Readonly<Record<string, string>>;
  /** The faulty field of the request, as a path: `conversation_id`, `attachments[0].file_id`. */
  field?: string | undefined;
  /** Problems of the parts, in words for a person, by the part's id. */
  errors?: Readonly<Record<string, string>> | undefined;
  /** The current state of the object that refused the request, by its name in the body. */
  object?: Readonly<Record<string, object>> | undefined;
  /** Of a refused token: the scope it lacks, and those it has. */
  scopes?: RefusedScopes | undefined;
}

/**
 * An error answer with its public text and stable code (docs/errors.md#error-bodies). Each lib
 * declares its own in `<noun>.errors.ts`. The body is `{"ok": false, "error": text, "code": code}`,
 * with the faulty field if there is one, unless the route declares another shape (see
 * `ErrorShape`).
 */
export class ApiError extends Error {
  readonly headers: Readonly<Record<string, string>>;
  readonly field: string | undefined;
  readonly errors: Readonly<Record<string, string>> | undefined;
  readonly object: Readonly<Record<string, object>> | undefined;
  readonly scopes: RefusedScopes | undefined;

  constructor(
    readonly status: number,
    /** In snake_case. */
    readonly code: string,
    readonly text: string,
    { headers = {}, field, errors, object, scopes }: ErrorDetails = {},
  ) {
    super(text);
    this.headers = headers;
    this.field = field;
    this.errors = errors;
    this.object = object;
    this.scopes = scopes;
  }
}

/** Thrown if a dependency is unavailable. The response is 503. */
export class Unavailable extends Error {}

/** A code and a text, or neither for the defaults. */
type CodeAndText = [] | [code: string, text: string];

/** 400 with a text that names the problem of the request. */
export const badRequest = (code: string, text: string, field?: string): ApiError =>
  new ApiError(400, code, text, { field });
/** 400 for a missing or invalid field, if the request alone shows the error. */
export const invalidField = (field: string | undefined, text: string): ApiError =>
  new ApiError(400, 'invalid_field', text, { field });
/** 400 for a body that is not a JSON object. */
export const invalidJson = (): ApiError => new ApiError(400, 'invalid_json', 'invalid JSON');
/** 401 for a missing Authorization header. */
export const missingAuthorization = (): ApiError =>
  new ApiError(401, 'missing_authorization', 'missing authorization header');
/** 401 when the header is not `Bearer <token>`. */
export const invalidAuthorization = (): ApiError =>
  new ApiError(401, 'invalid_authorization', 'invalid authorization format');
/** 401 for a token that is unknown, revoked, disabled or of the wrong kind. */
export const invalidToken = (): ApiError => new ApiError(401, 'invalid_token', 'invalid or revoked token');
/** 401 for a person's token on a bot endpoint, with the same text as for any other token. */
export const tokenOfAPerson = (): ApiError =>
  new ApiError(401, 'token_of_a_person', 'invalid or revoked token');
/** 403 for a principal that may not do this. */
export const forbidden = (...[code = 'forbidden', text = 'forbidden']: CodeAndText): ApiError =>
  new ApiError(403, code, text);
/** 404 for an object that is unknown or of another space. */
export const notFound = (...[code = 'not_found', text = 'not found']: CodeAndText): ApiError =>
  new ApiError(404, code, text);
/** 405 with the methods of the path. */
export const methodNotAllowed = (allowed: readonly string[]): ApiError =>
  new ApiError(405, 'method_not_allowed', 'method not allowed', { headers: { allow: allowed.join(', ') } });
/** 409 for a request that the current state of the object does not allow. */
export const conflict = (code: string, text: string, field?: string): ApiError =>
  new ApiError(409, code, text, { field });
/** 413 for a body over the limit. */
export const tooLarge = (): ApiError => new ApiError(413, 'body_too_large', 'request body too large');
/** 429; `retryAfterSeconds` in whole seconds, at least 1. */
export const rateLimited = (retryAfterSeconds: number): ApiError =>
  new ApiError(429, 'rate_limited', 'rate limit exceeded', {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  });
/** 500 for an internal error. */
export const internalError = (): ApiError => new ApiError(500, 'internal_error', 'internal error');
/** 503 while a required store is unavailable. */
export const unavailable = (...[code = 'unavailable', text = 'service unavailable']: CodeAndText): ApiError =>
  new ApiError(503, code, text, { headers: { 'retry-after': '1' } });

/** Runs work on the content of one field and adds that field to its errors. */
export function inField<T>(field: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, code, text, headers } = error;
    throw new ApiError(status, code, text, { headers, field });
  }
}
