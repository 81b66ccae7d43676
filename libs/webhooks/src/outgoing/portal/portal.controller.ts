import { Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Trials } from '@tieline/delivery';
import { Db } from '@tieline/platform/database';
import { Answers, documentErrors, RemoteAddress } from '@tieline/platform/http';
import { SecretBox } from '@tieline/signing';
import { byPortalLink } from '@tieline/spaces';
import type { FastifyReply } from 'fastify';
import { TrialAnswer } from '../deliveries/delivery.view.js';
import { sendTestDelivery } from '../subscriptions/send-test-delivery.js';
import { PortalLinks } from './portal-links.js';
import { PortalRate } from './portal-rate.js';
import { PORTAL_HEADERS, PORTAL_PAGE, VOID_PAGE } from './page/portal-page.js';
import { PortalSubscriptionAnswer } from './portal.view.js';

/**
 * What whoever runs a receiver sees and does with the token of a portal link (decisions, section
 * 11.3): the page and test sends.
 */
@Controller('portal/:token')
@ApiTags('public: portal of a receiver')
@documentErrors(401, 503)
export class PortalController {
  constructor(
    private readonly db: Db,
    private readonly box: SecretBox,
    private readonly links: PortalLinks,
    private readonly trials: Trials,
    private readonly rate: PortalRate,
  ) {}

  /** The page, which calls the endpoints below; 401 and a line to read where the link is void. */
  @Get()
  @ApiExcludeEndpoint()
  async page(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    const isGood = await this.links.isGood(token);
    await reply
      .status(isGood ? 200 : 401)
      .headers(PORTAL_HEADERS)
      .send(isGood ? PORTAL_PAGE : VOID_PAGE);
  }

  /** Which subscription the link is for. */
  @Get('subscription')
  @ApiOperation({
    operationId: 'getPortalSubscription',
    summary: 'Names the subscription that a portal link is for',
  })
  @Answers(PortalSubscriptionAnswer)
  async subscription(@Param('token') token: string): Promise<PortalSubscriptionAnswer> {
    const { name } = await this.links.open(token);
    return { ok: true, name };
  }

  /** Sends a WEBHOOK_TEST event, tried once, and answers what came of it. */
  @Post('test')
  @ApiOperation({
    operationId: 'testPortalSubscription',
    summary: 'Sends a WEBHOOK_TEST event once to the subscription of a portal link; answers its result',
  })
  @HttpCode(200)
  @Answers(TrialAnswer)
  @documentErrors(409, 429)
  async test(@Param('token') token: string, @RemoteAddress() ip: string): Promise<TrialAnswer> {
    const portal = await this.links.open(token);
    const begun = performance.now();
    const { db, box } = this;
    const deliveryId = await this.rate.charge(portal, () =>
      sendTestDelivery({ db, box }, portal.spaceId, portal.id, { origin: byPortalLink(ip), isByLink: true }),
    );
    const result = await this.trials.result(portal.spaceId, deliveryId, begun);
    return { ok: true, delivery_id: deliveryId, result };
  }
}
