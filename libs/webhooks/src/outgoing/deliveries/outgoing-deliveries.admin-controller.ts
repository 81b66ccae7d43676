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
import { requireSubscriptionEver } from '../subscriptions/outgoing-webhooks.queries.js';
import { OUTGOING } from './outgoing-kind-name.js';

/** What was sent to a subscription (decisions, section 7). */
@Controller('api/v1/admin/outgoing_webhooks/:id/deliveries')
@AdminApi()
@ApiTags('admin: outgoing webhooks')
export class OutgoingDeliveriesAdminController {
  constructor(private readonly db: Db) {}

  /**
   * The subscription's delivery log of 30 days, newest first, also of a deleted one; `failed` shows
   * dead letters that are still to be seen to.
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
    await requireSubscriptionEver(this.db, spaceId, id);
    const log = { spaceId, kind: OUTGOING, targetId: id };
    const { rows, nextCursor } = await listDeliveries(this.db, { ...log, ...filters });
    return { ok: true, deliveries: rows.map(deliveryView), next_cursor: nextCursor };
  }
}
