import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { activePushBots } from '@tieline/bots';
import { lastHourOf, waitingFor } from '@tieline/delivery';
import { Db } from '@tieline/platform/database';
import { AdminApi, Answers, Caller } from '@tieline/platform/http';
import type { AdminPrincipal } from '@tieline/platform/http';
import { activeSubscriptions } from '@tieline/webhooks';
import { countsView, DeliveryStatsAnswer } from './delivery-stats.view.js';

/** Number of receivers per kind whose pending deliveries are counted, the latest first. */
const RECEIVERS = 1000;

/** Delivery statistics of the caller's space, for admins. */
@Controller('api/v1/admin/delivery_stats')
@AdminApi()
@ApiTags('admin: space')
export class DeliveryStatsAdminController {
  constructor(private readonly db: Db) {}

  /**
   * Returns the last hour by minutes, for subscriptions and bots, and the pending deliveries. Test
   * sends are not counted; counts are up to five seconds late.
   */
  @Get()
  @ApiOperation({
    operationId: 'getDeliveryStatsAsAdmin',
    summary: "Gets the space's pending deliveries and the last hour by minute",
  })
  @Answers(DeliveryStatsAnswer)
  async get(@Caller() { spaceId }: AdminPrincipal): Promise<DeliveryStatsAnswer> {
    const [{ total, minutes }, subscriptions, bots] = await Promise.all([
      lastHourOf(this.db, spaceId),
      activeSubscriptions(this.db, spaceId, RECEIVERS),
      activePushBots(this.db, spaceId, RECEIVERS),
    ]);
    const { count, nextAt } = await waitingFor(this.db, [...subscriptions, ...bots]);
    return {
      ok: true,
      total: countsView(total),
      minutes: minutes.map(({ at, ...counts }) => ({ at: at.toISOString(), ...countsView(counts) })),
      waiting: { deliveries: count, next_at: nextAt?.toISOString() ?? null },
    };
  }
}
