import { applyDecorators } from '@nestjs/common';
import { documentError } from './error-shape.js';

const TEXTS: Readonly<Record<number, string>> = {
  400: 'the request is malformed or breaks a rule; the text says which',
  401: 'missing, malformed, unknown or revoked token',
  402: 'a cap of the plan is reached',
  403: 'the caller may not do this',
  404: 'unknown here, or of another space',
  409: 'not possible in the present state',
  410: 'gone: deleted, expired, used or switched off',
  413: 'the body is over the limit',
  429: 'rate limit; see Retry-After',
  503: 'a store that the request needs is away; retry with backoff',
};

const EXAMPLES: Readonly<Record<number, string>> = {
  400: 'invalid JSON',
  401: 'invalid or revoked token',
  402: 'command limit reached',
  403: 'forbidden',
  404: 'not found',
  409: 'conflict',
  410: 'gone',
  413: 'request body too large',
  429: 'rate limit exceeded',
  503: 'service unavailable',
};

/** Describes the error answers of a route in the OpenAPI document, each with an example. */
export function documentErrors(...statuses: number[]): ClassDecorator & MethodDecorator {
  return applyDecorators(
    ...statuses.map((status) =>
      documentError('standard', status, {
        description: TEXTS[status] ?? 'error',
        text: EXAMPLES[status] ?? 'error',
      }),
    ),
  );
}
