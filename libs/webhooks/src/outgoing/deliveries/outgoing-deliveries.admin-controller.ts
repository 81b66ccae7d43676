import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { listDeliveries } from '@tieline/delivery';
import { Db } from '@tieline/platform/database';
import {
  AdminApi,
  Answers,
  badRequest,
  Caller,
  documentErrors,
  isUuid,
  pageOf,
  UuidParam,
} from '@tieline/platform/http';
import type { AdminPrincipal } from '@tieline/platform/http';
import { findSubscription } from '../subscriptions/outgoing-webhooks.queries.js';
import { DeliveriesPage, deliveryView } from './delivery.view.js';
import { DeliveriesQuery } from './dto/deliveries-query.dto.js';
import { OUTGOING } from './outgoing-kind-name.js';

/** What was sent to a subscription (decisions, section 7). */
@Controller('api/v1/admin/outgoing_webhooks/:id/deliveries')
@AdminApi()
@ApiTags('admin: outgoing webhooks')
export class OutgoingDeliveriesAdminController {
  constructor(private readonly db: Db) {}

  /** The subscription's delivery log, newest first; `failed` shows dead letters. */
  @Get()
  @ApiOperation({ summary: "Lists the subscription's deliveries, newest first" })
  @Answers(DeliveriesPage)
  @documentErrors(400, 404)
  async list(
    @Caller() { spaceId }: AdminPrincipal,
    @UuidParam('id') id: string,
    @Query() { filter, limit, cursor }: DeliveriesQuery,
  ): Promise<DeliveriesPage> {
    if (cursor !== '' && !isUuid(cursor)) throw badRequest('invalid cursor');
    await findSubscription(this.db, spaceId, id);
    const page = { spaceId, kind: OUTGOING, targetId: id, filter, limit: limit + 1, cursor };
    const found = await listDeliveries(this.db, page);
    const { rows, nextCursor } = pageOf(found, limit, (delivery) => delivery.id);
    return { ok: true, deliveries: rows.map(deliveryView), next_cursor: nextCursor };
  }
}
