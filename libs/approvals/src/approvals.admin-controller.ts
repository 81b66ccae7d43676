import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { AdminApi, Answers, Caller, documentErrors } from '@tieline/platform/http';
import type { AdminPrincipal } from '@tieline/platform/http';
import { listApprovals } from './approval.queries.js';
import { ApprovalsPage, sharedView } from './approval.view.js';
import { ListApprovalsQuery } from './dto/approvals.query.js';

/** The approvals of a space: docs/approvals.md#for-admins. */
@Controller('api/v1/admin/approvals')
@AdminApi()
@ApiTags('admin: approvals')
export class ApprovalsAdminController {
  constructor(private readonly db: Db) {}

  /** Lists the approvals of all bots, newest first, by pages. */
  @Get()
  @ApiOperation({
    operationId: 'listApprovalsAsAdmin',
    summary: 'Lists the approvals of all bots, newest first, by pages',
  })
  @Answers(ApprovalsPage)
  @documentErrors(400)
  async list(
    @Caller() { spaceId }: AdminPrincipal,
    @Query() query: ListApprovalsQuery,
  ): Promise<ApprovalsPage> {
    const { rows, nextCursor } = await listApprovals(this.db, { spaceId }, query);
    return { ok: true, approvals: rows.map(sharedView), next_cursor: nextCursor };
  }
}
