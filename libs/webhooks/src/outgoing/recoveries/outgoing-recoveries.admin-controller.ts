import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { AdminApi, Answers, Caller, documentErrors, PageQuery, UuidParam } from '@tieline/platform/http';
import type { AdminPrincipal } from '@tieline/platform/http';
import { Acting } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
import { findSubscription } from '../subscriptions/outgoing-webhooks.queries.js';
import { RecoverDto } from './dto/recover.dto.js';
import { listRecoveries } from './recoveries.queries.js';
import { RecoveriesPage, RecoveryAnswer, recoveryView } from './recovery.view.js';
import { startRecovery } from './start-recovery.js';

/** Recoveries of a subscription. */
@Controller('api/v1/admin/outgoing_webhooks/:id')
@AdminApi()
@ApiTags('admin: outgoing webhooks')
export class OutgoingRecoveriesAdminController {
  constructor(private readonly db: Db) {}

  /**
   * Sends a part of the log again, byte for byte, to this or another subscription, as fast as its
   * rate allows.
   */
  @Post('recover')
  @ApiOperation({
    operationId: 'recoverDeliveriesAsAdmin',
    summary: 'Sends deliveries of the last 30 days again, byte for byte, in the background',
  })
  @HttpCode(200)
  @Answers(RecoveryAnswer)
  @documentErrors(400, 404, 409)
  async recover(
    @Acting() admin: ActingAdmin,
    @UuidParam('id') id: string,
    @Body() { since, until, only, event_types: eventTypes, to }: RecoverDto,
  ): Promise<RecoveryAnswer> {
    const wanted = {
      ...{ since, until: until ?? undefined, onlyFailed: only === 'failed' },
      ...{ eventTypes: [...new Set(eventTypes)], toId: to?.toLowerCase() },
    };
    const recovery = await startRecovery(this.db, admin, id, wanted);
    return { ok: true, recovery: recoveryView(recovery) };
  }

  @Get('recoveries')
  @ApiOperation({
    operationId: 'listRecoveriesAsAdmin',
    summary: 'Lists the recoveries of a subscription, newest first',
  })
  @Answers(RecoveriesPage)
  @documentErrors(400, 404)
  async list(
    @Caller() { spaceId }: AdminPrincipal,
    @UuidParam('id') id: string,
    @Query() page: PageQuery,
  ): Promise<RecoveriesPage> {
    await findSubscription(this.db, spaceId, id);
    const { rows, nextCursor } = await listRecoveries(this.db, spaceId, id, page);
    return { ok: true, recoveries: rows.map(recoveryView), next_cursor: nextCursor };
  }
}
