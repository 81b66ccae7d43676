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
import { findApp } from '../apps.queries.js';
import { APP_DELIVERY } from './app-delivery-name.js';

/** The log of deliveries to the `event_url` of an app (docs/apps.md#events). */
@Controller('api/v1/admin/apps/:id/deliveries')
@AdminApi()
@ApiTags('admin: apps')
export class AppDeliveriesAdminController {
  constructor(private readonly db: Db) {}

  /**
   * Lists the deliveries of the last 30 days to the `event_url` of an app, newest first: what
   * happened to its installations. `failed` selects dead deliveries.
   */
  @Get()
  @ApiOperation({
    operationId: 'listAppDeliveriesAsAdmin',
    summary: "Lists the deliveries to an app's event_url, newest first",
  })
  @Answers(DeliveriesPage)
  @documentErrors(400, 404)
  async list(
    @Caller() { spaceId }: AdminPrincipal,
    @UuidParam('id') id: string,
    @Query() query: DeliveriesQuery,
  ): Promise<DeliveriesPage> {
    const filters = logFiltersOf(query);
    await findApp(this.db, spaceId, id);
    const log = { spaceId, kind: APP_DELIVERY, targetId: id };
    const { rows, nextCursor } = await listDeliveries(this.db, { ...log, ...filters });
    return { ok: true, deliveries: rows.map(deliveryView), next_cursor: nextCursor };
  }
}
