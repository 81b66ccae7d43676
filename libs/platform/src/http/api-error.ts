/** What an error says besides its code and text. */
export interface ErrorDetails {
  headers?: Readonly<Record<string, string>>;
  /**
   * The field of the request that is at fault, as a path: `conversation_id`,
   * `attachments[0].file_id`.
   */
  field?: string | undefined;
  /** What is wrong with each part, in words for a person, by the part's id. */
  errors?: Readonly<Record<string, string>> | undefined;
}

/**
 * An answer that is not 2xx, with the contract's public text and a code that stays the same for
 * programs (decisions, 11.1). Each lib names its own in `<noun>.errors.ts`; docs/errors.md lists
 * the codes. The body is `{"ok": false, "error": text, "code": code}`, with the field where one is
 * at fault, unless the route says otherwise (see `ErrorShape`).
 */
export class ApiError extends Error {
  readonly headers: Readonly<Record<string, string>>;
  readonly field: string | undefined;
  readonly errors: Readonly<Record<string, string>> | undefined;

  constructor(
    readonly status: number,
    /** In snake_case. */
    readonly code: string,
    readonly text: string,
    { headers = {}, field, errors }: ErrorDetails = {},
  ) {
    super(text);
    this.headers = headers;
    this.field = field;
    this.errors = errors;
  }
}

/**
 * Something that the request needs is away: thrown where no answer is known yet, answered with 503.
 */
export class Unavailable extends Error {}

/** A code and a text, or neither where the usual ones will do. */
type Told = [] | [code: string, text: string];

/** 400 with a text that says what is wrong with the request. */
export const badRequest = (code: string, text: string, field?: string): ApiError =>
  new ApiError(400, code, text, { field });
/** 400 for a field that is missing, or holds what it must not; judged by the request alone. */
export const invalidField = (field: string | undefined, text: string): ApiError =>
  new ApiError(400, 'invalid_field', text, { field });
/** 400 for a body that is no JSON object. */
export const invalidJson = (): ApiError => new ApiError(400, 'invalid_json', 'invalid JSON');
/** 401 when no Authorization header is there. */
export const missingAuthorization = (): ApiError =>
  new ApiError(401, 'missing_authorization', 'missing authorization header');
/** 401 when the header is not `Bearer <token>`. */
export const invalidAuthorization = (): ApiError =>
  new ApiError(401, 'invalid_authorization', 'invalid authorization format');
/** 401 for an unknown, revoked, disabled or wrong kind of token. */
export const invalidToken = (): ApiError => new ApiError(401, 'invalid_token', 'invalid or revoked token');
/** 401 for a person's token on a bot endpoint, in the words of any other (decisions, 11.1). */
export const tokenOfAPerson = (): ApiError =>
  new ApiError(401, 'token_of_a_person', 'invalid or revoked token');
/** 403 for a principal that may not do this. */
export const forbidden = (...[code = 'forbidden', text = 'forbidden']: Told): ApiError =>
  new ApiError(403, code, text);
/** 404 for an unknown or foreign object. */
export const notFound = (...[code = 'not_found', text = 'not found']: Told): ApiError =>
  new ApiError(404, code, text);
/** 405 with the methods that the path knows. */
export const methodNotAllowed = (allowed: readonly string[]): ApiError =>
  new ApiError(405, 'method_not_allowed', 'method not allowed', { headers: { allow: allowed.join(', ') } });
/** 409 for a request that the object's present state does not allow. */
export const conflict = (code: string, text: string, field?: string): ApiError =>
  new ApiError(409, code, text, { field });
/** 413 for a body over the limit. */
export const tooLarge = (): ApiError => new ApiError(413, 'body_too_large', 'request body too large');
/** 429; `retryAfterSeconds` in whole seconds, at least 1. */
export const rateLimited = (retryAfterSeconds: number): ApiError =>
  new ApiError(429, 'rate_limited', 'rate limit exceeded', {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  });
/** 500: a fault of ours. */
export const internalError = (): ApiError => new ApiError(500, 'internal_error', 'internal error');
/** 503 while a store that the request needs is away. */
export const unavailable = (...[code = 'unavailable', text = 'service unavailable']: Told): ApiError =>
  new ApiError(503, code, text, { headers: { 'retry-after': '1' } });

/** Runs work that reads the content of one field: whatever it refuses, that field is at fault. */
export function inField<T>(field: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, code, text, headers } = error;
    throw new ApiError(status, code, text, { headers, field });
  }
}
