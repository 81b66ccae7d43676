import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiExtension, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Answers, documentErrorsIn, ErrorShape, UnparsedBody } from '@tieline/platform/http';
import type { RawBodyRequest } from '@tieline/platform/http';
import type { FastifyReply } from 'fastify';
import type { SentArguments } from './dispatcher/request-body.js';
import { SlackWebApi } from './dispatcher/web-api.js';
import type { SlackRequest } from './dispatcher/web-api.js';
import { WEB_API_PATH } from './paths.js';
import { SlackMethodAnswer } from './slack.view.js';

/** Slack's Web API (docs/slack-apps.md#methods). */
@Controller(WEB_API_PATH)
@ErrorShape('code', { status: 200 })
@ApiTags('public: slack')
export class SlackController {
  constructor(private readonly api: SlackWebApi) {}

  /**
   * Calls a method of Slack's Web API as the owner of the token, for apps that were written for
   * Slack. Arguments are a form, JSON or a query. Errors have the status 200, too, except for 429.
   */
  @Post(':method')
  @HttpCode(200)
  @UnparsedBody()
  @ApiOperation({
    operationId: 'callSlackMethod',
    summary: "Calls a method of Slack's Web API, for apps that were written for Slack",
  })
  @ApiParam({ name: 'method', example: 'chat.postMessage' })
  @ApiBody({
    required: false,
    description: 'the arguments of the method; `token` unless it is in the header',
    schema: { type: 'object', additionalProperties: true },
    examples: { 'a message': { value: { channel: '#general', text: 'Deployed.' } } },
  })
  @ApiExtension('x-open-answer', true)
  @Answers(SlackMethodAnswer)
  @documentErrorsIn('code', 429)
  create(
    @Param('method') method: string,
    @Req() request: RawBodyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.answer(method, request, reply);
  }

  /** The same as the POST, with arguments in the query. */
  @Get(':method')
  @ApiOperation({
    operationId: 'getSlackMethod',
    summary: "Calls a method of Slack's Web API with arguments in the query",
  })
  @ApiParam({ name: 'method', example: 'auth.test' })
  @ApiExtension('x-open-answer', true)
  @Answers(SlackMethodAnswer)
  @documentErrorsIn('code', 429)
  get(
    @Param('method') method: string,
    @Req() request: RawBodyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.answer(method, request, reply);
  }

  private async answer(method: string, request: RawBodyRequest, reply: FastifyReply): Promise<void> {
    const answer = await this.api.call(new HttpSlackRequest(method, request, reply));
    if (answer.failure !== undefined)
      request.log.error({ err: answer.failure, request_id: request.id, method }, 'request failed');
    await reply.status(answer.status).headers(answer.headers).send(answer.body);
  }
}

class HttpSlackRequest implements SlackRequest {
  readonly authorization: string | undefined;
  readonly sent: SentArguments;

  constructor(
    readonly method: string,
    readonly request: RawBodyRequest,
    private readonly reply: FastifyReply,
  ) {
    const { headers } = request.raw;
    this.authorization = headers.authorization;
    this.sent = { query: request.query, body: request.rawBody, contentType: headers['content-type'] ?? '' };
  }

  /** Only methods that call an endpoint need it. */
  get signal(): AbortSignal {
    return signalOf(this.reply);
  }
}

/** Returns a signal that aborts when the client leaves before it has the answer. */
function signalOf({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController();
  const end = (): void => {
    if (!raw.writableFinished) left.abort();
  };
  if (raw.destroyed) end();
  else raw.once('close', end);
  return left.signal;
}
