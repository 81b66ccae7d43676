import { applyDecorators, Controller, Delete, HttpCode, Param, Patch, Post, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiExcludeEndpoint,
  ApiHeader,
  ApiOperation,
  ApiParam,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import { Answers, documentError, ErrorShape, Field, OkAnswer, StreamedBody } from '@tieline/platform/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Rejected } from '../incoming-webhooks.errors.js';
import { IncomingReceiver } from './incoming-receiver.js';
import type { SentRequest } from './incoming-receiver.js';
import { readBody } from './read-body.js';

const FORMATS = {
  blocks: {
    summary: 'block-kit style',
    value: {
      text: '*disk* is full on <https://host.example|host>',
      severity: 'critical',
      mentions: ['0190f2a4-7c1b-7000-8000-00000000a001'],
    },
  },
  flat: {
    summary: 'flat style',
    value: {
      message: { content: '**disk** is full', buttons: [{ text: 'Open', url: 'https://host.example' }] },
      silent: true,
    },
  },
  alert: {
    summary: 'an alert that is edited as long as it is open',
    value: { text: 'CPU of db1 is high', severity: 'warning', dedup_key: 'cpu/db1', thread_key: 'db1' },
  },
  resolved: {
    summary: 'the end of that alert',
    value: { text: 'CPU of db1 is fine', dedup_key: 'cpu/db1', resolved: true },
  },
};
const NATIVE_FORMATS = {
  alertmanager: {
    summary: "a program's own format: Alertmanager",
    value: {
      version: '4',
      groupKey: '{}:{alertname="HighCPU"}',
      status: 'firing',
      receiver: 'chat',
      commonLabels: { alertname: 'HighCPU', severity: 'critical' },
      externalURL: 'https://alertmanager.example',
      alerts: [
        {
          status: 'firing',
          labels: { alertname: 'HighCPU', severity: 'critical' },
          annotations: { summary: 'CPU of db1 over 90%' },
          generatorURL: 'https://prometheus.example/graph',
        },
      ],
    },
  },
};
const ERRORS: Readonly<Record<number, string>> = {
  400: 'no JSON, unknown format, a field of a wrong type, another content type, or the channel cannot be written to',
  401: 'unknown or revoked token; missing or invalid signature; timestamp outside 5 minutes',
  409: 'the idempotency key was used for another body',
  410: 'switched off',
  413: 'body over 262144 bytes',
  429: 'rate of the plan (5, 10, 30 per second); Retry-After: 1',
  500: 'a fault of ours',
  502: 'a store is away; retry with backoff',
};

/** What every route has: the token, the headers of signatures, the errors, all of which have the same body. */
function DoorRoute(summary: string, errors: Readonly<Record<number, string>>): MethodDecorator {
  return applyDecorators(
    StreamedBody(),
    ApiOperation({ summary }),
    ApiParam({ name: 'token', description: 'the secret part of the address' }),
    header(
      'X-Service-Signature',
      'native scheme: `sha256=` + hex HMAC-SHA256 of `<timestamp>.<body>`; counts once where the webhook has replay protection',
    ),
    header('X-Service-Timestamp', 'Unix seconds'),
    header(
      'X-Compat-Signature',
      'compat scheme: `v0=` + hex HMAC-SHA256 of `v0:<timestamp>:<body>`; also `X-Slack-Signature`',
    ),
    header('X-Compat-Request-Timestamp', 'Unix seconds; also `X-Slack-Request-Timestamp`'),
    ...Object.entries(errors).map(([status, description]) =>
      documentError('generic', Number(status), { description, text: description }),
    ),
  );
}

function header(name: string, description: string): MethodDecorator {
  return ApiHeader({ name, required: false, description });
}

/** The body of a message. */
function MessageBody(): MethodDecorator {
  return applyDecorators(
    ApiConsumes('application/json', 'application/x-www-form-urlencoded', 'text/plain'),
    ApiBody({
      description:
        'either format, or one that a known program sends of its own accord; a form carries the JSON in its field `payload`; plain text is taken literally',
      schema: { type: 'object' },
      examples: { ...FORMATS, ...NATIVE_FORMATS },
    }),
  );
}

/** A route that messages are posted to. */
function IncomingRoute(path: string, summary: string): MethodDecorator {
  return applyDecorators(
    Post(path),
    HttpCode(200),
    DoorRoute(summary, ERRORS),
    MessageBody(),
    header(
      'Idempotency-Key',
      'A-Z a-z 0-9 . _ : - and at most 128 characters; the same body within 24 hours makes no second message',
    ),
  );
}

const MESSAGE_PATH = 'api/v1/webhooks/incoming/:token/messages/:message_id';
const { 409: _ofPosts, ...DOOR_ERRORS } = ERRORS;
const CHANGE_ERRORS = {
  ...DOOR_ERRORS,
  404: 'no message of this webhook',
  410: 'switched off, or the message is deleted',
};

/** One that answers plain text `ok`; the `ignored` parts of its path may hold anything. */
function PlainRoute(path: string, senders: string, ...ignored: string[]): MethodDecorator {
  return applyDecorators(
    IncomingRoute(path, `Posts a message, ${senders}`),
    ...ignored.map((name) => ApiParam({ name, description: 'anything' })),
    ApiResponse({
      status: 200,
      description: 'success',
      content: { 'text/plain': { schema: { type: 'string' }, example: 'ok' } },
    }),
  );
}

/** The message that a request became. */
class PostedAnswer extends OkAnswer {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41' })
  message_id: string;
}

/** The addresses that external services post to (contract, Incoming webhook; decisions, section 9). Tokens are the only credential. */
@Controller()
@ErrorShape('generic', { undecodable: 401 })
@ApiTags('incoming webhooks')
export class IncomingWebhooksController {
  constructor(private readonly receiver: IncomingReceiver) {}

  /** Posts a message into the webhook's channel. Errors are 400, 401, 410, 413, 429, 500, 502 with one and the same body. */
  @IncomingRoute('api/v1/webhooks/incoming/:token', "Posts a message into the webhook's channel")
  @Answers(PostedAnswer)
  async receive(@Param('token') token: string, @Req() request: FastifyRequest): Promise<PostedAnswer> {
    return { ok: true, message_id: await this.take(token, request) };
  }

  /** Replaces what a message of this webhook shows, with the checks of a post. Nobody is notified of it again. */
  @Patch(MESSAGE_PATH)
  @DoorRoute('Edits a message of this webhook', CHANGE_ERRORS)
  @MessageBody()
  @ApiParam({ name: 'message_id', description: 'as answered by a post' })
  @Answers(PostedAnswer)
  async edit(
    @Param('token') token: string,
    @Param('message_id') messageId: string,
    @Req() request: FastifyRequest,
  ): Promise<PostedAnswer> {
    return { ok: true, message_id: await this.take(token, request, { kind: 'edit', messageId }) };
  }

  /** Deletes a message of this webhook, with the checks of a post; the signature is that of an empty body. */
  @Delete(MESSAGE_PATH)
  @DoorRoute('Deletes a message of this webhook; signed over an empty body', CHANGE_ERRORS)
  @ApiParam({ name: 'message_id', description: 'as answered by a post' })
  @Answers(OkAnswer)
  async remove(
    @Param('token') token: string,
    @Param('message_id') messageId: string,
    @Req() request: FastifyRequest,
  ): Promise<OkAnswer> {
    await this.take(token, request, { kind: 'delete', messageId });
    return { ok: true };
  }

  /** Messages are edited and deleted at their address, nothing else. */
  @Post(MESSAGE_PATH)
  @StreamedBody()
  @ApiExcludeEndpoint()
  postedToMessage(): never {
    throw new Rejected(405, 'method not allowed', { allow: 'DELETE, PATCH' });
  }

  /** The same for stock senders that expect plain text `ok`. */
  @PlainRoute('hooks/:token', 'for senders that expect the plain answer ok')
  async hook(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.take(token, request);
    await reply.type('text/plain; charset=utf-8').send('ok');
  }

  /** The same for senders whose addresses are Mattermost's below another base. */
  @PlainRoute('api/v1/webhooks/hooks/:token', 'for senders that put `hooks` into the address')
  async hookBelow(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.hook(token, request, reply);
  }

  /** The same for senders made for an address of an id and a token; the id is not looked at. */
  @PlainRoute('hooks/:a/:token', 'for senders whose addresses are an id and a token', 'a')
  async namedHook(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.hook(token, request, reply);
  }

  /** The same for senders that insist on an address of three parts; the first two are not looked at. */
  @PlainRoute('services/:a/:b/:token', 'for senders whose addresses have three parts', 'a', 'b')
  async service(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.hook(token, request, reply);
  }

  /** Malformed tokens (empty, too long, with a slash) are answered like unknown ones. */
  @Post([
    'api/v1/webhooks/incoming',
    'api/v1/webhooks/incoming/*',
    'api/v1/webhooks/hooks',
    'api/v1/webhooks/hooks/*',
    'hooks',
    'hooks/*',
    'services',
    'services/*',
  ])
  @StreamedBody()
  @ApiExcludeEndpoint()
  async unknown(@Req() request: FastifyRequest): Promise<void> {
    await this.take('', request);
  }

  private take(token: string, request: FastifyRequest, change?: SentRequest['change']): Promise<string> {
    const body = readBody(request.raw);
    request.server.unfinishedBodies.watch(request.raw);
    return this.receiver.receive({
      ...(change && { change: { ...change, messageId: change.messageId.toLowerCase() } }),
      token,
      address: request.ip,
      headers: request.raw.headers,
      body,
    });
  }
}
