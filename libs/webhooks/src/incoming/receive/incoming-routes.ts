import { applyDecorators, HttpCode, Post } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiParam, ApiQuery, ApiResponse } from '@nestjs/swagger';
import { documentError, ExactBody, StreamedBody } from '@tieline/platform/http';
import { IncomingMessageDto } from './dto/incoming-body.dto.js';
import { FORMATS, FORMS, NATIVE_FORMATS, TEXTS } from './incoming-examples.js';

const ERRORS: Readonly<Record<number, string>> = {
  400: 'no JSON, unknown format, a text or a flag of a wrong type, nothing to show, or the channel cannot be written to',
  401: 'unknown or revoked token; missing or invalid signature; timestamp outside 5 minutes',
  409: 'the idempotency key was used for another body',
  410: 'switched off',
  413: 'body over 262144 bytes, as sent or decompressed',
  415: 'a content encoding other than gzip and deflate',
  429: 'rate of the plan (5, 10, 30 per second); Retry-After: 1',
  500: 'a fault of ours',
  502: 'a store is away; retry with backoff',
};

/**
 * What every route has: the token, the headers of signatures, the errors, all of which have the
 * same body.
 */
export function DoorRoute(
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
      'native scheme: `sha256=` + hex HMAC-SHA256 of `<timestamp>.<body>`; good for one request where the webhook has replay protection',
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
      'Grafana, with `native_secret`: hex HMAC-SHA256 of the body, or of `<timestamp>:<body>` with a timestamp',
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

/** The body of a message. */
export const MessageBody = (): MethodDecorator =>
  ExactBody(
    'either format, or one that a known program sends of its own accord; JSON is read under any content type; a form, also a multipart one, carries the JSON in its field `payload`; other plain text is literal; gzip and deflate are read',
    {
      'application/json': { type: IncomingMessageDto, examples: { ...FORMATS, ...NATIVE_FORMATS } },
      'application/x-www-form-urlencoded': { type: 'form', examples: FORMS },
      'text/plain': { type: 'text', examples: TEXTS },
    },
  );

/** A route that messages are posted to. */
export function IncomingRoute(path: string, operationId: string, summary: string): MethodDecorator {
  return applyDecorators(
    Post(path),
    HttpCode(200),
    DoorRoute(operationId, summary, ERRORS),
    MessageBody(),
    keyQuery('thread_key', 'messages of one key stand in one thread; wins over the key of the body'),
    keyQuery('dedup_key', 'messages of one key are one message; wins over the key of the body'),
    header(
      'Idempotency-Key',
      'A-Z a-z 0-9 . _ : - and at most 128 characters; the same body within 24 hours makes no second message',
    ),
  );
}

const { 409: _ofPosts, ...DOOR_ERRORS } = ERRORS;
/** What can go wrong when a message of a webhook is changed. */
export const CHANGE_ERRORS = {
  ...DOOR_ERRORS,
  404: 'no message of this webhook',
  410: 'switched off, or the message is deleted',
};

/** One that answers plain text `ok`; the `ignored` parts of its path may hold anything. */
export function PlainRoute(
  path: string,
  operationId: string,
  senders: string,
  ...ignored: string[]
): MethodDecorator {
  return applyDecorators(
    IncomingRoute(path, operationId, `Posts a message, ${senders}`),
    ...ignored.map((name) => ApiParam({ name, description: 'anything' })),
    ApiResponse({
      status: 200,
      description: 'success',
      content: { 'text/plain': { schema: { type: 'string' }, example: 'ok' } },
    }),
  );
}
