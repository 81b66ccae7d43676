import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { failingBots } from '@tieline/bots';
import { DeliverySettings, openBreakersOf } from '@tieline/delivery';
import { Db } from '@tieline/platform/database';
import { AdminApi, Answers, Caller } from '@tieline/platform/http';
import type { AdminPrincipal } from '@tieline/platform/http';
import { failingSubscriptions, IncomingWebhookSettings, autoDisabledIncoming } from '@tieline/webhooks';
import { FailuresAnswer } from './failures.view.js';
import type { FailureView } from './failures.view.js';

/** Maximum per object and kind. */
const MOST = 50;
/** Maximum number of breakers, the worst first. */
const BREAKERS = 200;

/** Current failures in the caller's space, for admins. */
@Controller('api/v1/admin/failures')
@AdminApi()
@ApiTags('admin: space')
export class FailuresAdminController {
  constructor(
    private readonly db: Db,
    private readonly deliveries: DeliverySettings,
    private readonly incoming: IncomingWebhookSettings,
  ) {}

  /**
   * Lists receivers whose deliveries wait, objects that were deactivated automatically, and bots
   * that do not answer; 50 of each at most.
   */
  @Get()
  @ApiOperation({
    operationId: 'listFailuresAsAdmin',
    summary: 'Lists webhooks and bots that fail or were disabled automatically',
  })
  @Answers(FailuresAnswer)
  async list(@Caller() { spaceId }: AdminPrincipal): Promise<FailuresAnswer> {
    const openBreakers = await openBreakersOf(this.db, spaceId, BREAKERS);
    const query = { openBreakers, threshold: this.deliveries.autoDisableThreshold, most: MOST };
    const [outgoing, incoming, bots] = await Promise.all([
      failingSubscriptions(this.db, spaceId, query),
      autoDisabledIncoming(this.db, spaceId, { threshold: this.incoming.autoDisableThreshold, most: MOST }),
      failingBots(this.db, spaceId, query),
    ]);
    return {
      ok: true,
      failures: [
        ...outgoing.map(viewOf('outgoing_webhook')),
        ...incoming.map(viewOf('incoming_webhook')),
        ...bots.map(viewOf('bot')),
      ],
    };
  }
}

interface FailingObject {
  id: string;
  name: string;
  kind: FailureView['kind'];
  consecutiveFailures: number;
  openUntil?: string | undefined;
}

const viewOf =
  (type: FailureView['object_type']) =>
  ({ id, name, kind, consecutiveFailures, openUntil }: FailingObject): FailureView => ({
    ...{ object_type: type, object_id: id, name, kind, consecutive_failures: consecutiveFailures },
    ...(openUntil !== undefined && { open_until: openUntil }),
  });
