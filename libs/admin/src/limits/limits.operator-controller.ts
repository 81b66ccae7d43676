import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { COUNT_BOTS } from '@tieline/bots';
import { COUNT_OPEN_CHANNELS } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { Answers, documentErrors, OperatorApi, RemoteAddress, UuidParam } from '@tieline/platform/http';
import {
  byOperator,
  COUNT_ACTIVE_USERS,
  findSpace,
  recordReading,
  SpaceLimitSettings,
} from '@tieline/spaces';
import type { PlanLimit } from '@tieline/spaces';
import { COUNT_INCOMING_WEBHOOKS, COUNT_SUBSCRIPTIONS, OutgoingWebhookSettings } from '@tieline/webhooks';
import { LimitsAnswer } from './limits.view.js';
import type { LimitView } from './limits.view.js';

/** Limits and usage of a space, for the operator: docs/configure.md. */
@Controller('api/v1/operator/spaces/:id/limits')
@OperatorApi()
@ApiTags('operator: spaces')
export class LimitsOperatorController {
  constructor(
    private readonly db: Db,
    private readonly settings: SpaceLimitSettings,
    private readonly outgoing: OutgoingWebhookSettings,
  ) {}

  /** Returns what a space uses, and what its plan allows. */
  @Get()
  @ApiOperation({
    operationId: 'getLimitsAsOperator',
    summary: 'Gets the usage of a space and the limits of its plan',
  })
  @Answers(LimitsAnswer)
  @documentErrors(404)
  async get(@UuidParam('id') id: string, @RemoteAddress() ip: string): Promise<LimitsAnswer> {
    const { plan } = await findSpace(this.db, id);
    await recordReading(this.db, {
      ...byOperator(ip),
      ...{ spaceId: id, action: 'space.limits_read', objectType: 'space', objectId: id, changes: {} },
    });
    const used = async (name: LimitView['name'], count: PlanLimit['count']): Promise<LimitView> => {
      const [row] = await this.db.query(count, [id]);
      return { name, used: row?.count ?? 0, limit: this.settings.limits[name][plan] };
    };
    return {
      ok: true,
      limits: await Promise.all([
        used('bots', COUNT_BOTS),
        used('incoming_webhooks', COUNT_INCOMING_WEBHOOKS),
        used('subscriptions', COUNT_SUBSCRIPTIONS),
        used('channels', COUNT_OPEN_CHANNELS),
        used('people', COUNT_ACTIVE_USERS),
      ]),
      deliveries_per_second: this.outgoing.ratePerSecond[plan],
    };
  }
}
