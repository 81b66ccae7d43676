import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  DeliveriesPage,
  DeliveriesQuery,
  deliveryView,
  listDeliveries,
  logFiltersOf,
} from '@tieline/delivery';
import { Db } from '@tieline/platform/database';
import { AdminApi, Answers, Caller, documentErrors, UuidParam } from '@tieline/platform/http';
import type { AdminPrincipal } from '@tieline/platform/http';
import { requireKnownSubscription } from '../subscriptions/outgoing-webhooks.queries.js';
import { OUTGOING } from './outgoing-kind-name.js';

/** Delivery log of a subscription. */
@Controller('api/v1/admin/outgoing_webhooks/:id/deliveries')
@AdminApi()
@ApiTags('admin: outgoing webhooks')
export class OutgoingDeliveriesAdminController {
  constructor(private readonly db: Db) {}

  /**
   * Lists a subscription's deliveries of the last 30 days, newest first. Works for deleted
   * subscriptions too. `failed` shows dead deliveries that have not been redelivered.
   */
  @Get()
  @ApiOperation({
    operationId: 'listOutgoingDeliveriesAsAdmin',
    summary: 'Lists the deliveries to a subscription, newest first',
  })
  @Answers(DeliveriesPage)
  @documentErrors(400, 404)
  async list(
    @Caller() { spaceId }: AdminPrincipal,
    @UuidParam('id') id: string,
    @Query() query: DeliveriesQuery,
  ): Promise<DeliveriesPage> {
    const filters = logFiltersOf(query);
    await requireKnownSubscription(this.db, spaceId, id);
    const log = { spaceId, kind: OUTGOING, targetId: id };
    const { rows, nextCursor } = await listDeliveries(this.db, { ...log, ...filters });
    return { ok: true, deliveries: rows.map(deliveryView), next_cursor: nextCursor };
  }
}
