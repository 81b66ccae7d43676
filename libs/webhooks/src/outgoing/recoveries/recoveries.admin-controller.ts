import { Controller, Delete, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { AdminApi, Answers, Caller, documentErrors, UuidParam } from '@tieline/platform/http';
import type { AdminPrincipal } from '@tieline/platform/http';
import { Acting } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
import { cancelRecovery } from './cancel-recovery.js';
import { findRecovery } from './recoveries.queries.js';
import { RecoveryAnswer, recoveryView } from './recovery.view.js';

/** Single recoveries. */
@Controller('api/v1/admin/recoveries')
@AdminApi()
@ApiTags('admin: outgoing webhooks')
export class RecoveriesAdminController {
  constructor(private readonly db: Db) {}

  @Get(':id')
  @ApiOperation({ operationId: 'getRecoveryAsAdmin', summary: 'Gets a recovery with its progress' })
  @Answers(RecoveryAnswer)
  @documentErrors(404)
  async get(@Caller() { spaceId }: AdminPrincipal, @UuidParam('id') id: string): Promise<RecoveryAnswer> {
    return { ok: true, recovery: recoveryView(await findRecovery(this.db, spaceId, id)) };
  }

  /**
   * Cancels a running recovery. Pending deliveries are closed as dead. Deliveries being sent
   * finish.
   */
  @Delete(':id')
  @ApiOperation({
    operationId: 'cancelRecoveryAsAdmin',
    summary: 'Cancels a recovery',
  })
  @Answers(RecoveryAnswer)
  @documentErrors(404)
  async delete(@Acting() admin: ActingAdmin, @UuidParam('id') id: string): Promise<RecoveryAnswer> {
    return { ok: true, recovery: recoveryView(await cancelRecovery(this.db, admin, id)) };
  }
}
