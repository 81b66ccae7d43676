import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { AdminApi, Answers, Caller, documentErrors, UuidParam } from '@tieline/platform/http';
import type { AdminPrincipal } from '@tieline/platform/http';
import { findBot } from '../accounts/bots.queries.js';
import { listBotDeliveries } from './deliveries.queries.js';
import { BotDeliveriesPage, deliveryView } from './delivery.view.js';
import { DeliveriesQuery } from './dto/deliveries.query.js';

/** The log of deliveries to a bot's webhook (decisions, section 7). */
@Controller('api/v1/admin/bots/:id/deliveries')
@AdminApi()
@ApiTags('admin: bots')
export class BotDeliveriesAdminController {
  constructor(private readonly db: Db) {}

  /** The deliveries to a bot's webhook_url, newest first, by pages; `failed` shows the dead ones. */
  @Get()
  @ApiOperation({ summary: "Lists the deliveries to a bot's webhook, newest first" })
  @Answers(BotDeliveriesPage)
  @documentErrors(400, 404)
  async list(
    @Caller() caller: AdminPrincipal,
    @UuidParam('id') id: string,
    @Query() query: DeliveriesQuery,
  ): Promise<BotDeliveriesPage> {
    const bot = await findBot(this.db, caller.spaceId, id);
    const { rows, nextCursor } = await listBotDeliveries(this.db, bot, query);
    return { ok: true, deliveries: rows.map(deliveryView), next_cursor: nextCursor };
  }
}
