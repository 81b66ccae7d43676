import { Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  DeliveriesPage,
  DeliveriesQuery,
  deliveryView,
  findDelivery,
  listDeliveries,
  logFiltersOf,
  Trials,
} from '@tieline/delivery';
import type { DeliveryDetail } from '@tieline/delivery';
import { Db } from '@tieline/platform/database';
import { Answers, documentErrors, notFound, UuidParam } from '@tieline/platform/http';
import { charged, RateLimiter } from '@tieline/rate-limit';
import { SecretBox } from '@tieline/signing';
import type { FastifyReply } from 'fastify';
import {
  DeliveryAnswer,
  deliveryDetailView,
  PlannedDeliveryAnswer,
  TrialAnswer,
} from '../deliveries/delivery.view.js';
import { OUTGOING } from '../deliveries/outgoing-kind-name.js';
import { redeliverOutgoing } from '../deliveries/redeliver-outgoing.js';
import { sendTestDelivery } from '../subscriptions/send-test-delivery.js';
import { PortalLinks } from './portal-links.js';
import type { PortalOf } from './portal-links.js';
import { PORTAL_HEADERS, PORTAL_PAGE, VOID_PAGE } from './portal-page.js';
import { PortalSubscriptionAnswer } from './portal.view.js';

/** Sends and redeliveries of one portal in a second. */
const SENDS_PER_SECOND = 5;

/** What whoever runs a receiver sees and does with the token of a portal link (decisions, section 11.3): one subscription's log. */
@Controller('portal/:token')
@ApiTags('portal of a receiver')
@documentErrors(401, 503)
export class PortalController {
  constructor(
    private readonly db: Db,
    private readonly box: SecretBox,
    private readonly links: PortalLinks,
    private readonly trials: Trials,
    private readonly limiter: RateLimiter,
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
  @ApiOperation({ summary: 'Names the subscription that a portal link is for' })
  @Answers(PortalSubscriptionAnswer)
  async subscription(@Param('token') token: string): Promise<PortalSubscriptionAnswer> {
    const { name } = await this.links.open(token);
    return { ok: true, name };
  }

  /** The subscription's delivery log, newest first, as admins see it. */
  @Get('deliveries')
  @ApiOperation({ summary: 'Lists the deliveries to the subscription of a portal link, newest first' })
  @Answers(DeliveriesPage)
  @documentErrors(400)
  async list(@Query() query: DeliveriesQuery, @Param('token') token: string): Promise<DeliveriesPage> {
    const { spaceId, id } = await this.links.open(token);
    const log = { spaceId, kind: OUTGOING, targetId: id };
    const { rows, nextCursor } = await listDeliveries(this.db, { ...log, ...logFiltersOf(query) });
    return { ok: true, deliveries: rows.map(deliveryView), next_cursor: nextCursor };
  }

  /** One delivery with its request and every attempt. */
  @Get('deliveries/:id')
  @ApiOperation({ summary: 'Gets one delivery of a portal link with its request and every attempt' })
  @Answers(DeliveryAnswer)
  @documentErrors(404)
  async one(@UuidParam('id') id: string, @Param('token') token: string): Promise<DeliveryAnswer> {
    return { ok: true, delivery: deliveryDetailView(await this.find(await this.links.open(token), id)) };
  }

  /** Sends the same event and bytes again as a new delivery. */
  @Post('deliveries/:id/redeliver')
  @ApiOperation({ summary: 'Sends an event again, byte for byte, to the subscription of a portal link' })
  @HttpCode(200)
  @Answers(PlannedDeliveryAnswer)
  @documentErrors(404, 409, 429)
  async redeliver(
    @UuidParam('id') id: string,
    @Param('token') token: string,
  ): Promise<PlannedDeliveryAnswer> {
    const portal = await this.links.open(token);
    const delivery = await this.find(portal, id);
    const again = await this.charge(portal, () =>
      redeliverOutgoing(this.box, this.db, portal.spaceId, delivery),
    );
    return { ok: true, delivery_id: again };
  }

  /** Sends a WEBHOOK_TEST event, tried once, and answers what came of it. */
  @Post('test')
  @ApiOperation({
    summary: 'Sends a WEBHOOK_TEST event once to the subscription of a portal link; answers its result',
  })
  @HttpCode(200)
  @Answers(TrialAnswer)
  @documentErrors(409, 429)
  async test(@Param('token') token: string): Promise<TrialAnswer> {
    const portal = await this.links.open(token);
    const begun = performance.now();
    const { db, box } = this;
    // Nobody of the space does it.
    const deliveryId = await this.charge(portal, () =>
      sendTestDelivery({ db, box }, portal.spaceId, portal.id, ''),
    );
    const result = await this.trials.result(portal.spaceId, deliveryId, begun);
    return { ok: true, delivery_id: deliveryId, result };
  }

  /** @throws 404 for a delivery to anybody else */
  private async find({ spaceId, id: targetId }: PortalOf, id: string): Promise<DeliveryDetail> {
    const delivery = await findDelivery(this.db, spaceId, id);
    if (delivery?.kind !== OUTGOING || delivery.targetId !== targetId) throw notFound();
    return delivery;
  }

  private charge<T>({ id }: PortalOf, work: () => Promise<T>): Promise<T> {
    const rule = { key: `portal:${id}`, limit: SENDS_PER_SECOND, windowMs: 1000 };
    return charged(this.limiter, [rule], work);
  }
}
