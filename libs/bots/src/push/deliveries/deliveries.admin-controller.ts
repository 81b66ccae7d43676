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
import { findBot } from '../../accounts/bots.queries.js';
import { PUSH } from '../push-kind-name.js';

/** The log of deliveries to a bot's webhook. */
@Controller('api/v1/admin/bots/:id/deliveries')
@AdminApi()
@ApiTags('admin: bots')
export class BotDeliveriesAdminController {
  constructor(private readonly db: Db) {}

  /**
   * Lists the deliveries to a bot's webhook_url, newest first. `failed` selects dead deliveries.
   */
  @Get()
  @ApiOperation({
    operationId: 'listBotDeliveriesAsAdmin',
    summary: "Lists the deliveries to a bot's webhook, newest first",
  })
  @Answers(DeliveriesPage)
  @documentErrors(400, 404)
  async list(
    @Caller() { spaceId }: AdminPrincipal,
    @UuidParam('id') id: string,
    @Query() query: DeliveriesQuery,
  ): Promise<DeliveriesPage> {
    await findBot(this.db, spaceId, id);
    const filters = logFiltersOf(query);
    const log = { spaceId, kind: PUSH, targetId: id };
    const { rows, nextCursor } = await listDeliveries(this.db, { ...log, ...filters });
    return { ok: true, deliveries: rows.map(deliveryView), next_cursor: nextCursor };
  }
}
