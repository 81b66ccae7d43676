import { Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Trials } from '@tieline/delivery';
import { Answers, documentErrors, RemoteAddress } from '@tieline/platform/http';
import { byPortalLink } from '@tieline/spaces';
import type { FastifyReply } from 'fastify';
import { TrialAnswer } from '../deliveries/delivery.view.js';
import { SendTestDelivery } from '../subscriptions/send-test-delivery.js';
import { PortalLinks } from './portal-links.js';
import { PortalRate } from './portal-rate.js';
import { PORTAL_HEADERS, PORTAL_PAGE, INVALID_LINK_PAGE } from './page/portal-page.js';
import { PortalSubscriptionAnswer } from './portal.view.js';

/** The portal page and test sends for the holder of a portal link. */
@Controller('portal/:token')
@ApiTags('public: portal of a receiver')
@documentErrors(401, 503)
export class PortalController {
  constructor(
    private readonly links: PortalLinks,
    private readonly trials: Trials,
    private readonly rate: PortalRate,
    private readonly sendTestDelivery: SendTestDelivery,
  ) {}

  /**
   * Returns the page, which calls the endpoints below. An invalid link gets 401 and a short text.
   */
  @Get()
  @ApiExcludeEndpoint()
  async page(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    const isValid = await this.links.isValid(token);
    await reply
      .status(isValid ? 200 : 401)
      .headers(PORTAL_HEADERS)
      .send(isValid ? PORTAL_PAGE : INVALID_LINK_PAGE);
  }

  @Get('subscription')
  @ApiOperation({
    operationId: 'getPortalSubscription',
    summary: 'Gets the name of the subscription of a portal link',
  })
  @Answers(PortalSubscriptionAnswer)
  async subscription(@Param('token') token: string): Promise<PortalSubscriptionAnswer> {
    const { name } = await this.links.open(token);
    return { ok: true, name };
  }

  /** Sends a WEBHOOK_TEST event with a single attempt and returns the result. */
  @Post('test')
  @ApiOperation({
    operationId: 'testPortalSubscription',
    summary: 'Sends a WEBHOOK_TEST event once to the subscription of a portal link; returns the result',
  })
  @HttpCode(200)
  @Answers(TrialAnswer)
  @documentErrors(409, 429)
  async test(@Param('token') token: string, @RemoteAddress() ip: string): Promise<TrialAnswer> {
    const portal = await this.links.open(token);
    const startedAt = performance.now();
    const deliveryId = await this.rate.charge(portal, () =>
      this.sendTestDelivery.run(portal, { origin: byPortalLink(ip), isByLink: true }),
    );
    const result = await this.trials.result(portal.spaceId, deliveryId, startedAt);
    return { ok: true, delivery_id: deliveryId, result };
  }
}
