import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  DeliveriesPage,
  DeliveriesQuery,
  deliveryView,
  findDelivery,
  listDeliveries,
  logFiltersOf,
} from '@tieline/delivery';
import type { DeliveryDetail } from '@tieline/delivery';
import { Db } from '@tieline/platform/database';
import { Answers, documentErrors, notFound, RemoteAddress, UuidParam } from '@tieline/platform/http';
import { byPortalLink } from '@tieline/spaces';
import { DeliveryAnswer, deliveryDetailView, PlannedDeliveryAnswer } from '../../deliveries/delivery.view.js';
import { OUTGOING } from '../../deliveries/outgoing-kind-name.js';
import { recordDeliveryRead } from '../../deliveries/record-delivery-read.js';
import { RedeliverOutgoing } from '../../deliveries/redeliver-outgoing.js';
import { PortalLinks } from '../portal-links.js';
import type { PortalSubscription } from '../portal-links.js';
import { PortalRate } from '../portal-rate.js';

/** Delivery log of a subscription for the holder of a portal link. */
@Controller('portal/:token/deliveries')
@ApiTags('public: portal of a receiver')
@documentErrors(401, 503)
export class PortalDeliveriesController {
  constructor(
    private readonly db: Db,
    private readonly links: PortalLinks,
    private readonly rate: PortalRate,
    private readonly redeliverOutgoing: RedeliverOutgoing,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listPortalDeliveries',
    summary: 'Lists the deliveries to the subscription of a portal link, newest first',
  })
  @Answers(DeliveriesPage)
  @documentErrors(400)
  async list(@Query() query: DeliveriesQuery, @Param('token') token: string): Promise<DeliveriesPage> {
    const { spaceId, id } = await this.links.open(token);
    const log = { spaceId, kind: OUTGOING, targetId: id };
    const { rows, nextCursor } = await listDeliveries(this.db, { ...log, ...logFiltersOf(query) });
    return { ok: true, deliveries: rows.map(deliveryView), next_cursor: nextCursor };
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getPortalDelivery',
    summary: 'Gets a delivery to the subscription of a portal link, with its request and every attempt',
  })
  @Answers(DeliveryAnswer)
  @documentErrors(404)
  async get(
    @UuidParam('id') id: string,
    @Param('token') token: string,
    @RemoteAddress() ip: string,
  ): Promise<DeliveryAnswer> {
    const portal = await this.links.open(token);
    const delivery = await this.find(portal, id);
    const read = { spaceId: portal.spaceId, origin: byPortalLink(ip), delivery };
    await recordDeliveryRead(this.db, 'outgoing_webhook.deliveries_read_by_link', read);
    return { ok: true, delivery: deliveryDetailView(delivery) };
  }

  /** Sends the same event and bytes again as a new delivery. */
  @Post(':id/redeliver')
  @ApiOperation({
    operationId: 'redeliverPortalDelivery',
    summary: 'Sends an event again, byte for byte, to the subscription of a portal link',
  })
  @HttpCode(200)
  @Answers(PlannedDeliveryAnswer)
  @documentErrors(404, 409, 429)
  async redeliver(
    @UuidParam('id') id: string,
    @Param('token') token: string,
    @RemoteAddress() ip: string,
  ): Promise<PlannedDeliveryAnswer> {
    const portal = await this.links.open(token);
    const delivery = await this.find(portal, id);
    const by = { origin: byPortalLink(ip), isByLink: true };
    const again = await this.rate.charge(portal, () =>
      this.redeliverOutgoing.run(portal.spaceId, delivery, by),
    );
    return { ok: true, delivery_id: again };
  }

  /** @throws 404 for a delivery to another target */
  private async find({ spaceId, id: targetId }: PortalSubscription, id: string): Promise<DeliveryDetail> {
    const delivery = await findDelivery(this.db, spaceId, id);
    if (delivery?.kind !== OUTGOING || delivery.targetId !== targetId) throw notFound();
    return delivery;
  }
}
