import { Controller, Delete, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import {
  AdminApi,
  Answers,
  Caller,
  documentErrors,
  OkAnswer,
  PageQuery,
  UuidParam,
} from '@tieline/platform/http';
import type { AdminPrincipal } from '@tieline/platform/http';
import { Acting } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
import { ApprovalRulesPage, ruleView } from './approval-rule.view.js';
import { deleteRule, listRules } from './approval-rules.js';

/** Rules that approve approvals when they are created: docs/approvals.md#always. */
@Controller('api/v1/admin/approval_rules')
@AdminApi()
@ApiTags('admin: approvals')
export class ApprovalRulesAdminController {
  constructor(private readonly db: Db) {}

  /** Lists the rules of the space, newest first, by pages. */
  @Get()
  @ApiOperation({
    operationId: 'listApprovalRulesAsAdmin',
    summary: 'Lists the rules that approve automatically, newest first, by pages',
  })
  @Answers(ApprovalRulesPage)
  @documentErrors(400)
  async list(@Caller() { spaceId }: AdminPrincipal, @Query() page: PageQuery): Promise<ApprovalRulesPage> {
    const { rows, nextCursor } = await listRules(this.db, spaceId, page);
    return { ok: true, approval_rules: rows.map(ruleView), next_cursor: nextCursor };
  }

  /** Deletes a rule. Later approvals wait for people again. */
  @Delete(':id')
  @ApiOperation({
    operationId: 'deleteApprovalRuleAsAdmin',
    summary: 'Deletes a rule that approves automatically',
  })
  @Answers(OkAnswer)
  @documentErrors(404)
  async delete(@Acting() admin: ActingAdmin, @UuidParam('id') id: string): Promise<OkAnswer> {
    await deleteRule(this.db, admin, id);
    return { ok: true };
  }
}
