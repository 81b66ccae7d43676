import { Controller, Delete, Param, Patch, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiParam, ApiTags } from '@nestjs/swagger';
import { addressOf, Answers, ErrorShape, Field, OkAnswer, StreamedBody } from '@tieline/platform/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dialect } from '@tieline/markup';
import { IncomingReceiver } from './incoming-receiver.js';
import type { SentRequest } from './sent-request.js';
import { CHANGE_ERRORS, ReceivingRoute, IncomingRoute, MessageBody, PlainRoute } from './incoming-routes.js';
import { readBody } from './body/read-body.js';

const MESSAGE_PATH = 'api/v1/webhooks/incoming/:token/messages/:message_id';
class PostedAnswer extends OkAnswer {
  @Field({
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41',
    description: 'empty if nothing was posted: `resolved` without an open alert and without text',
  })
  message_id: string;
}

/** The addresses that external services post to. The token is the only credential. */
@Controller()
@ErrorShape('generic', { undecodable: 401 })
@ApiTags('public: incoming webhooks')
export class IncomingWebhooksController {
  constructor(private readonly receiver: IncomingReceiver) {}

  /**
   * Posts a message into the webhook's channel. All errors (400, 401, 410, 413, 429, 500, 502) have
   * the same body.
   */
  @IncomingRoute(
    'api/v1/webhooks/incoming/:token',
    'postToIncomingWebhook',
    "Posts a message into the webhook's channel",
  )
  @Answers(PostedAnswer)
  async receive(@Param('token') token: string, @Req() request: FastifyRequest): Promise<PostedAnswer> {
    return { ok: true, message_id: (await this.handle(token, request)) ?? '' };
  }

  /**
   * Replaces the content of a message of this webhook, with the same checks as a post. Sends no new
   * notifications.
   */
  @Patch(MESSAGE_PATH)
  @ReceivingRoute('editIncomingMessage', 'Edits a message of this webhook', CHANGE_ERRORS)
  @MessageBody()
  @ApiParam({ name: 'message_id', description: 'id returned when the message was posted' })
  @Answers(PostedAnswer)
  async edit(
    @Param('token') token: string,
    @Param('message_id') messageId: string,
    @Req() request: FastifyRequest,
  ): Promise<PostedAnswer> {
    await this.handle(token, request, { change: { kind: 'edit', messageId } });
    return { ok: true, message_id: messageId.toLowerCase() };
  }

  /**
   * Deletes a message of this webhook, with the same checks as a post. The signature covers an
   * empty body.
   */
  @Delete(MESSAGE_PATH)
  @ReceivingRoute(
    'deleteIncomingMessage',
    'Deletes a message of this webhook; signed over an empty body',
    CHANGE_ERRORS,
  )
  @ApiParam({ name: 'message_id', description: 'id returned when the message was posted' })
  @Answers(OkAnswer)
  async delete(
    @Param('token') token: string,
    @Param('message_id') messageId: string,
    @Req() request: FastifyRequest,
  ): Promise<OkAnswer> {
    await this.handle(token, request, { change: { kind: 'delete', messageId } });
    return { ok: true };
  }

  /**
   * Posts a message for senders that expect plain text `ok`. At Mattermost and Rocket.Chat
   * addresses, text is Markdown.
   */
  @PlainRoute('hooks/:token', 'postToHook', 'for senders that expect the plain response ok')
  async hook(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.handlePlain(token, request, reply, 'mattermost');
  }

  /** Like {@link hook}, for senders that append Mattermost's path to another base. */
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

  /** Like {@link hook}, for senders whose address has an id and a token. The id is ignored. */
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
   * Like {@link hook}, for senders whose address has three parts. The first two are ignored. Text
   * is Slack markup.
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
    await this.handlePlain(token, request, reply, 'slack');
  }

  /** Answers malformed tokens (empty, too long, with a slash) like unknown ones. */
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
    await this.handle('', request);
  }

  private async handlePlain(
    token: string,
    request: FastifyRequest,
    reply: FastifyReply,
    dialect: Dialect,
  ): Promise<void> {
    await this.handle(token, request, { dialect });
    await reply.type('text/plain; charset=utf-8').send('ok');
  }

  private handle(
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
