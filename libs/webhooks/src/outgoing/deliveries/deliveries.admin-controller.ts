import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { findDelivery } from '@tieline/delivery';
import { AdminApi, Answers, documentErrors, notFound, UuidParam } from '@tieline/platform/http';
import { Acting } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
import { DeliveryAnswer, deliveryDetailView, PlannedDeliveryAnswer } from './delivery.view.js';
import { OUTGOING } from './outgoing-kind-name.js';
import { recordDeliveryRead } from './record-delivery-read.js';
import { Redeliveries } from './redeliveries.js';

/** Object types of targets in the audit log, by kind of delivery. */
const OBJECT_TYPES: Readonly<Record<string, 'outgoing_webhook' | 'app'>> = {
  [OUTGOING]: 'outgoing_webhook',
  app: 'app',
};

/** Single deliveries of outgoing webhooks, bot push and events of apps. */
@Controller('api/v1/admin/deliveries')
@AdminApi()
@ApiTags('admin: outgoing webhooks')
export class DeliveriesAdminController {
  constructor(
    private readonly db: Db,
    private readonly redeliveries: Redeliveries,
  ) {}

  /** Gets a delivery with its request and every attempt. Deliveries are kept for 30 days. */
  @Get(':id')
  @ApiOperation({
    operationId: 'getDeliveryAsAdmin',
    summary: 'Gets a delivery with its request and every attempt; kept for 30 days',
  })
  @Answers(DeliveryAnswer)
  @documentErrors(404)
  async get(
    @Acting() { spaceId, origin }: ActingAdmin,
    @UuidParam('id') id: string,
  ): Promise<DeliveryAnswer> {
    const delivery = await findDelivery(this.db, spaceId, id);
    if (!delivery) throw notFound();
    const objectType = OBJECT_TYPES[delivery.kind] ?? 'bot';
    await recordDeliveryRead(this.db, `${objectType}.deliveries_read`, { spaceId, origin, delivery });
    return { ok: true, delivery: deliveryDetailView(delivery) };
  }

  /**
   * Sends the same event and bytes again as a new delivery. 409 if the subscription or bot is
   * inactive, or the app has no `event_url`.
   */
  @Post(':id/redeliver')
  @ApiOperation({
    operationId: 'redeliverDeliveryAsAdmin',
    summary: 'Sends the same event again, byte for byte, as a new delivery',
  })
  @HttpCode(200)
  @Answers(PlannedDeliveryAnswer)
  @documentErrors(404, 409)
  async redeliver(@Acting() admin: ActingAdmin, @UuidParam('id') id: string): Promise<PlannedDeliveryAnswer> {
    const delivery = await findDelivery(this.db, admin.spaceId, id);
    if (!delivery) throw notFound();
    return { ok: true, delivery_id: await this.redeliveries.redeliver(admin, delivery) };
  }
}
