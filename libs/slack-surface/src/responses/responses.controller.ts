import { Body, Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answers, documentErrorsIn, ErrorShape } from '@tieline/platform/http';
import type { FastifyReply } from 'fastify';
import { RESPONSES_PATH } from '../paths.js';
import { SlackMethodAnswer } from '../slack.view.js';
import { RespondByUrl } from './respond-by-url.js';

/** Takes answers of Slack apps at the `response_url` of a command. */
@Controller(RESPONSES_PATH)
@ErrorShape('code')
@ApiTags('public: slack')
export class SlackResponsesController {
  constructor(private readonly responses: RespondByUrl) {}

  /**
   * Takes up to five answers within 30 minutes, in Slack's format. The address needs no header,
   * because the token in it is the permission.
   */
  @Post(':team/:response_token')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'respondToSlackUrl',
    summary: 'Answers a command of a Slack app at its response_url',
  })
  @ApiBody({
    description: 'text, blocks, attachments, response_type, replace_original, delete_original',
    schema: { type: 'object', additionalProperties: true },
    examples: { 'a text for the person': { value: { text: 'Deployed.' } } },
  })
  @Answers(SlackMethodAnswer)
  @documentErrorsIn('code', 400, 403, 404, 409, 413, 429, 503)
  async respond(
    @Param('team') team: string,
    @Param('response_token') token: string,
    @Body() body: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const given = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
    const { status, error, retryAfter } = await this.responses.run(team, token, given);
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
    await reply.status(status).send(error === undefined ? { ok: true } : { ok: false, error });
  }
}
