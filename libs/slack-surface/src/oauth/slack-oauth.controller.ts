import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import { ErrorShape } from '@tieline/platform/http';
import type { FastifyReply } from 'fastify';
import { SLACK_AUTHORIZE_PATH } from '../paths.js';
import { AuthorizeAddress } from './authorize-address.js';

/** Starts installations of Slack apps (docs/slack-apps.md#install-an-app). */
@Controller(SLACK_AUTHORIZE_PATH)
@ErrorShape('oauth')
export class SlackOAuthController {
  constructor(private readonly address: AuthorizeAddress) {}

  /** Redirects to the provider, which shows the consent page. */
  @Get()
  @ApiExcludeEndpoint()
  async authorize(@Query() query: Record<string, unknown>, @Res() reply: FastifyReply): Promise<void> {
    const asked = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (typeof value === 'string') asked.set(name, value);
    const address = await this.address.of(asked);
    await reply.status(302).headers({ location: address, 'cache-control': 'no-store' }).send();
  }
}
