import { applyDecorators } from '@nestjs/common';
import {
  forbidden,
  internalError,
  invalidJson,
  invalidToken,
  notFound,
  rateLimited,
  tooLarge,
  unavailable,
} from './api-error.js';
import { documentError } from './error-shape.js';
import type { ErrorShapeName } from './error-shape.js';

const TEXTS: Readonly<Record<number, string>> = {
  400: 'the request is malformed or breaks a rule; the text says which',
  401: 'missing, malformed, unknown or revoked token',
  402: 'a limit of the plan is reached',
  403: 'the caller may not do this',
  404: 'unknown, or in another space',
  409: 'not possible in the current state',
  410: 'gone: deleted, expired, used or disabled',
  413: 'the body is over the limit',
  415: 'the content type of the body is not JSON',
  426: 'the request is not a WebSocket handshake',
  429: 'rate limit; see Retry-After',
  503: 'a data store that the request needs is unavailable; retry with backoff',
};

const EXAMPLES: Readonly<Record<number, { text: string; code: string }>> = {
  400: invalidJson(),
  401: invalidToken(),
  402: { text: 'command limit reached', code: 'limit_reached' },
  403: forbidden(),
  404: notFound(),
  409: { text: 'stale sequence', code: 'stale_sequence' },
  410: { text: 'message deleted', code: 'message_deleted' },
  413: tooLarge(),
  415: { text: 'content-type must be application/json', code: 'unsupported_media_type' },
  426: { text: 'a WebSocket handshake is required', code: 'upgrade_required' },
  429: rateLimited(1),
  503: unavailable(),
};

/** Documents the error answers of a route, each with an example. */
export const documentErrors = (...statuses: number[]): ClassDecorator & MethodDecorator =>
  documentErrorsIn('standard', ...statuses);

/** Like {@link documentErrors}, in another shape. */
export function documentErrorsIn(
  shape: ErrorShapeName,
  ...statuses: number[]
): ClassDecorator & MethodDecorator {
  return applyDecorators(
    ...statuses.map((status) => {
      const { text, code } = EXAMPLES[status] ?? internalError();
      return documentError(shape, status, { description: TEXTS[status] ?? 'error', text, code });
    }),
  );
}
