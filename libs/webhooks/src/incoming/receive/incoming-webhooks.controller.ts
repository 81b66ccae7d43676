import { Controller, Delete, Param, Patch, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiParam, ApiTags } from '@nestjs/swagger';
import { addressOf, Answers, ErrorShape, Field, OkAnswer, StreamedBody } from '@tieline/platform/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dialect } from '@tieline/markup';
import { IncomingReceiver } from './incoming-receiver.js';
import type { SentRequest } from './sent-request.js';
import { CHANGE_ERRORS, DoorRoute, IncomingRoute, MessageBody, PlainRoute } from './incoming-routes.js';
import { readBody } from './body/read-body.js';

const MESSAGE_PATH = 'api/v1/webhooks/incoming/:token/messages/:message_id';
/** The message that a request became. */
class PostedAnswer extends OkAnswer {
  @Field({
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41',
    description: 'empty where nothing was posted: `resolved` without an open message and without words',
  })
  message_id: string;
}

/**
 * The addresses that external services post to (contract, Incoming webhook; decisions, section 9).
 * Tokens are the only credential.
 */
@Controller()
@ErrorShape('generic', { undecodable: 401 })
@ApiTags('public: incoming webhooks')
export class IncomingWebhooksController {
  constructor(private readonly receiver: IncomingReceiver) {}

  /**
   * Posts a message into the webhook's channel. Errors are 400, 401, 410, 413, 429, 500, 502 with
   * one and the same body.
   */
  @IncomingRoute(
    'api/v1/webhooks/incoming/:token',
    'postToIncomingWebhook',
    "Posts a message into the webhook's channel",
  )
  @Answers(PostedAnswer)
  async receive(@Param('token') token: string, @Req() request: FastifyRequest): Promise<PostedAnswer> {
    return { ok: true, message_id: (await this.take(token, request)) ?? '' };
  }

  /**
   * Replaces what a message of this webhook shows, with the checks of a post. Nobody is notified of
   * it again.
   */
  @Patch(MESSAGE_PATH)
  @DoorRoute('editIncomingMessage', 'Edits a message of this webhook', CHANGE_ERRORS)
  @MessageBody()
  @ApiParam({ name: 'message_id', description: 'as answered by a post' })
  @Answers(PostedAnswer)
  async edit(
    @Param('token') token: string,
    @Param('message_id') messageId: string,
    @Req() request: FastifyRequest,
  ): Promise<PostedAnswer> {
    await this.take(token, request, { change: { kind: 'edit', messageId } });
    return { ok: true, message_id: messageId.toLowerCase() };
  }

  /**
   * Deletes a message of this webhook, with the checks of a post; the signature is that of an empty
   * body.
   */
  @Delete(MESSAGE_PATH)
  @DoorRoute(
    'deleteIncomingMessage',
    'Deletes a message of this webhook; signed over an empty body',
    CHANGE_ERRORS,
  )
  @ApiParam({ name: 'message_id', description: 'as answered by a post' })
  @Answers(OkAnswer)
  async remove(
    @Param('token') token: string,
    @Param('message_id') messageId: string,
    @Req() request: FastifyRequest,
  ): Promise<OkAnswer> {
    await this.take(token, request, { change: { kind: 'delete', messageId } });
    return { ok: true };
  }

  /**
   * The same for stock senders that expect plain text `ok`. Texts at the addresses of Mattermost
   * and Rocket.Chat are Markdown.
   */
  @PlainRoute('hooks/:token', 'postToHook', 'for senders that expect the plain answer ok')
  async hook(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.takePlainly(token, request, reply, 'mattermost');
  }

  /** The same for senders whose addresses are Mattermost's below another base. */
  @PlainRoute(
    'api/v1/webhooks/hooks/:token',
    'postToWebhooksHook',
    'for senders that put `hooks` into the address',
  )
  async hookBelow(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.hook(token, request, reply);
  }

  /** The same for senders made for an address of an id and a token; the id is not looked at. */
  @PlainRoute(
    'hooks/:hook_id/:token',
    'postToNamedHook',
    'for senders whose addresses are an id and a token',
    'hook_id',
  )
  async namedHook(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.hook(token, request, reply);
  }

  /**
   * The same for senders that insist on an address of three parts; the first two are not looked at.
   */
  @PlainRoute(
    'services/:team_id/:service_id/:token',
    'postToService',
    'for senders whose addresses have three parts',
    'team_id',
    'service_id',
  )
  async service(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.takePlainly(token, request, reply, 'slack');
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

  private async takePlainly(
    token: string,
    request: FastifyRequest,
    reply: FastifyReply,
    dialect: Dialect,
  ): Promise<void> {
    await this.take(token, request, { dialect });
    await reply.type('text/plain; charset=utf-8').send('ok');
  }

  private take(
    token: string,
    request: FastifyRequest,
    { change, dialect = 'slack' }: Pick<SentRequest, 'change' | 'dialect'> = {},
  ): Promise<string | undefined> {
    const body = readBody(request.raw);
    request.server.unfinishedBodies.watch(request.raw);
    return this.receiver.receive({
      ...(change && { change: { ...change, messageId: change.messageId.toLowerCase() } }),
      method: request.method,
      target: request.raw.url ?? '',
      dialect,
      token,
      address: addressOf(request),
      headers: request.raw.headers,
      body,
    });
  }
}
