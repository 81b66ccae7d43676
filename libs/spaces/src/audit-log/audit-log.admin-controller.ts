import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { AdminApi, Answers, Caller, documentErrors } from '@tieline/platform/http';
import type { AdminPrincipal } from '@tieline/platform/http';
import { AuditLogQuery } from './dto/audit-log-query.dto.js';
import { listAuditLog } from './audit-log.queries.js';
import { auditEntryView, AuditLogPage } from './audit-log.view.js';

/** The audit log of the caller's space (docs/security.md#audit-log). */
@Controller('api/v1/admin/audit_log')
@AdminApi()
@ApiTags('admin: audit log')
export class AuditLogAdminController {
  constructor(private readonly db: Db) {}

  /**
   * Lists the entries, the operator's included, newest first, by pages; filters by actor, action,
   * object and time.
   */
  @Get()
  @ApiOperation({
    operationId: 'listAuditLogAsAdmin',
    summary: "Lists the audit log, the operator's changes included, newest first, by pages",
  })
  @Answers(AuditLogPage)
  @documentErrors(400)
  async list(@Caller() caller: AdminPrincipal, @Query() query: AuditLogQuery): Promise<AuditLogPage> {
    const { rows, nextCursor } = await listAuditLog(this.db, caller.spaceId, query);
    return { ok: true, entries: rows.map(auditEntryView), next_cursor: nextCursor };
  }
}
