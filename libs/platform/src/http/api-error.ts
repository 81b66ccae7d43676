/**
 * An answer that is not 2xx, with the contract's public text. Each lib names its own in `<noun>.errors.ts`.
 * The body is `{"ok": false, "error": text}` unless the route says otherwise (see `ErrorShape`).
 */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly text: string,
    readonly headers: Readonly<Record<string, string>> = {},
    /** Stable, for programs, where the text is not enough. */
    readonly code?: string,
  ) {
    super(text);
  }
}

/** Something that the request needs is away: thrown where no answer is known yet, answered with 503. */
export class Unavailable extends Error {}

/** 400 with a text that says what is wrong with the request. */
export const badRequest = (text: string): ApiError => new ApiError(400, text);
/** 400 for a body that is no JSON object. */
export const invalidJson = (): ApiError => new ApiError(400, 'invalid JSON');
/** 401 when no Authorization header is there. */
export const missingAuthorization = (): ApiError => new ApiError(401, 'missing authorization header');
/** 401 when the header is not `Bearer <token>`. */
export const invalidAuthorization = (): ApiError => new ApiError(401, 'invalid authorization format');
/** 401 for an unknown, revoked, disabled or wrong kind of token. */
export const invalidToken = (): ApiError => new ApiError(401, 'invalid or revoked token');
/** 403 for a principal that may not do this. */
export const forbidden = (text = 'forbidden'): ApiError => new ApiError(403, text);
/** 404 for an unknown or foreign object. */
export const notFound = (text = 'not found'): ApiError => new ApiError(404, text);
/** 409 for a request that the object's present state does not allow. */
export const conflict = (text: string): ApiError => new ApiError(409, text);
/** 413 for a body over the limit. */
export const tooLarge = (): ApiError => new ApiError(413, 'request body too large');
/** 429; `retryAfterSeconds` in whole seconds, at least 1. */
export const rateLimited = (retryAfterSeconds: number): ApiError =>
  new ApiError(429, 'rate limit exceeded', {
    'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))),
  });
/** 503 while a store that the request needs is away. */
export const unavailable = (text = 'service unavailable'): ApiError =>
  new ApiError(503, text, { 'retry-after': '1' });
