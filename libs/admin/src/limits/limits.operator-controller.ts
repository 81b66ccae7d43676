import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { BotLimitSettings, COUNT_BOTS } from '@tieline/bots';
import { ChannelLimitSettings, COUNT_OPEN_CHANNELS } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { Answers, documentErrors, OperatorApi, RemoteAddress, UuidParam } from '@tieline/platform/http';
import {
  byOperator,
  COUNT_ACTIVE_USERS,
  findSpace,
  PeopleLimitSettings,
  recordReading,
} from '@tieline/spaces';
import type { PlanLimit } from '@tieline/spaces';
import {
  COUNT_INCOMING_WEBHOOKS,
  COUNT_SUBSCRIPTIONS,
  IncomingWebhookSettings,
  OutgoingWebhookSettings,
} from '@tieline/webhooks';
import { LimitsAnswer } from './limits.view.js';
import type { LimitView } from './limits.view.js';

/** Limits and usage of a space, for the operator: docs/configure.md. */
@Controller('api/v1/operator/spaces/:id/limits')
@OperatorApi()
@ApiTags('operator: spaces')
export class LimitsOperatorController {
  constructor(
    private readonly db: Db,
    private readonly bots: BotLimitSettings,
    private readonly incoming: IncomingWebhookSettings,
    private readonly outgoing: OutgoingWebhookSettings,
    private readonly channels: ChannelLimitSettings,
    private readonly people: PeopleLimitSettings,
  ) {}

  /** Returns what a space uses, and what its plan allows. */
  @Get()
  @ApiOperation({
    operationId: 'getLimitsAsOperator',
    summary: 'Gets how many of what a space has, and how many its plan allows',
  })
  @Answers(LimitsAnswer)
  @documentErrors(404)
  async get(@UuidParam('id') id: string, @RemoteAddress() ip: string): Promise<LimitsAnswer> {
    const { plan } = await findSpace(this.db, id);
    await recordReading(this.db, {
      ...byOperator(ip),
      ...{ spaceId: id, action: 'space.limits_read', objectType: 'space', objectId: id, changes: {} },
    });
    const used = async (
      name: LimitView['name'],
      { limits, count }: Pick<PlanLimit, 'limits' | 'count'>,
    ): Promise<LimitView> => {
      const [row] = await this.db.query(count, [id]);
      return { name, used: row?.count ?? 0, limit: limits[plan] };
    };
    return {
      ok: true,
      limits: await Promise.all([
        used('bots', { limits: this.bots.limit, count: COUNT_BOTS }),
        used('incoming_webhooks', { limits: this.incoming.limit, count: COUNT_INCOMING_WEBHOOKS }),
        used('subscriptions', { limits: this.outgoing.limit, count: COUNT_SUBSCRIPTIONS }),
        used('channels', { limits: this.channels.limit, count: COUNT_OPEN_CHANNELS }),
        used('people', { limits: this.people.limit, count: COUNT_ACTIVE_USERS }),
      ]),
      deliveries_per_second: this.outgoing.ratePerSecond[plan],
    };
  }
}
