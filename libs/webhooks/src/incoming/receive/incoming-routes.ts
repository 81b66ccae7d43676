import { applyDecorators, HttpCode, Post } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiParam, ApiQuery, ApiResponse } from '@nestjs/swagger';
import { documentError, ExactBody, StreamedBody } from '@tieline/platform/http';
import { IncomingMessageDto } from './dto/incoming-body.dto.js';
import { FORMATS, FORMS, NATIVE_FORMATS, TEXTS } from './incoming-examples.js';

const ERRORS: Readonly<Record<number, string>> = {
  400: 'invalid JSON, unknown format, a field of the wrong type, nothing to show, or a channel that cannot be posted to',
  401: 'unknown or revoked token; missing or invalid signature; timestamp outside 5 minutes',
  409: 'the idempotency key was used for another body',
  410: 'the webhook is disabled',
  413: 'body over 262144 bytes, as sent or decompressed',
  415: 'a content encoding other than gzip and deflate',
  429: 'rate limit of the plan exceeded (5, 10 or 30 per second); Retry-After: 1',
  500: 'internal error',
  502: 'a data store is unavailable; retry with backoff',
};

/**
 * Documents what all routes share: the token, the signature headers, and the errors, which have the
 * same body.
 */
export function ReceivingRoute(
  operationId: string,
  summary: string,
  errors: Readonly<Record<number, string>>,
): MethodDecorator {
  return applyDecorators(
    StreamedBody(),
    ApiOperation({ operationId, summary }),
    ApiParam({ name: 'token', description: 'the secret part of the address' }),
    header(
      'X-Service-Signature',
      'native scheme: `sha256=` + hex HMAC-SHA256 of `<timestamp>.<body>`; accepted once if the webhook has replay protection',
    ),
    header('X-Service-Timestamp', 'Unix seconds'),
    header(
      'X-Compat-Signature',
      'compat scheme: `v0=` + hex HMAC-SHA256 of `v0:<timestamp>:<body>`; also `X-Slack-Signature`',
    ),
    header('X-Compat-Request-Timestamp', 'Unix seconds; also `X-Slack-Request-Timestamp`'),
    header('X-Hub-Signature-256', 'GitHub, with `native_secret`: `sha256=` + hex HMAC-SHA256 of the body'),
    header('X-Gitlab-Token', 'GitLab, with `native_secret`: the secret'),
    header('Sentry-Hook-Signature', 'Sentry, with `native_secret`: hex HMAC-SHA256 of the body'),
    header(
      'X-Grafana-Alerting-Signature',
      'Grafana, with `native_secret`: hex HMAC-SHA256 of the body, or of `<timestamp>:<body>` if a timestamp is sent',
    ),
    header('X-Grafana-Alerting-Timestamp', 'Unix seconds; also `X-Grafana-Alerting-Signature-Timestamp`'),
    ...Object.entries(errors).map(([status, description]) =>
      documentError('generic', Number(status), { description, text: description }),
    ),
  );
}

function header(name: string, description: string): MethodDecorator {
  return ApiHeader({ name, required: false, description });
}

function keyQuery(name: string, description: string): MethodDecorator {
  return ApiQuery({ name, required: false, schema: { type: 'string', maxLength: 128 }, description });
}

/** Documents the body of a message. */
export const MessageBody = (): MethodDecorator =>
  ExactBody(
    'either format, or the native format of a known program; JSON is read under any content type; a form (also multipart) contains the JSON in its field `payload`; other plain text is literal; gzip and deflate are accepted',
    {
      'application/json': { type: IncomingMessageDto, examples: { ...FORMATS, ...NATIVE_FORMATS } },
      'application/x-www-form-urlencoded': { type: 'form', examples: FORMS },
      'text/plain': { type: 'text', examples: TEXTS },
    },
  );

/** Declares a route for posting messages. */
export function IncomingRoute(path: string, operationId: string, summary: string): MethodDecorator {
  return applyDecorators(
    Post(path),
    HttpCode(200),
    ReceivingRoute(operationId, summary, ERRORS),
    MessageBody(),
    keyQuery(
      'thread_key',
      'messages with the same key share a thread; takes precedence over the key in the body',
    ),
    keyQuery(
      'dedup_key',
      'messages with the same key edit one message; takes precedence over the key in the body',
    ),
    header(
      'Idempotency-Key',
      'A-Z a-z 0-9 . _ : - and at most 128 characters; repeating the same body within 24 hours posts no second message',
    ),
  );
}

const { 409: _ofPosts, ...COMMON_ERRORS } = ERRORS;
/** Errors of editing and deleting a message. */
export const CHANGE_ERRORS = {
  ...COMMON_ERRORS,
  404: 'no message of this webhook',
  410: 'the webhook is disabled, or the message is deleted',
};

/**
 * Declares a route that answers plain text `ok`. The `ignored` path parameters may have any value.
 */
export function PlainRoute(
  path: string,
  operationId: string,
  senders: string,
  ...ignored: string[]
): MethodDecorator {
  return applyDecorators(
    IncomingRoute(path, operationId, `Posts a message, ${senders}`),
    ...ignored.map((name) => ApiParam({ name, description: 'ignored' })),
    ApiResponse({
      status: 200,
      description: 'success',
      content: { 'text/plain': { schema: { type: 'string' }, example: 'ok' } },
    }),
  );
}
