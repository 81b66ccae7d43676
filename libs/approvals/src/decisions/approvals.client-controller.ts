import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { PersonRates } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  Caller,
  ClientApi,
  documentErrors,
  HasOwnRate,
  RequiresScope,
  UuidParam,
} from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { Acting } from '@tieline/spaces';
import type { ActingUser } from '@tieline/spaces';
import { listDecidable, requireReadableApproval } from '../approval.queries.js';
import {
  ALREADY_DECIDED,
  ApprovalAnswer,
  ApprovalsPage,
  PersonalApprovalAnswer,
  sharedView,
} from '../approval.view.js';
import { DecideApprovalDto } from '../dto/decide-approval.dto.js';
import { ListDecidableQuery } from '../dto/approvals.query.js';
import { DecideApproval } from './decide-approval.js';

/** Approvals for people: docs/approvals.md#decisions. */
@Controller('api/v1/client/approvals')
@ClientApi()
@RequiresScope('approvals')
@HasOwnRate()
@ApiTags('person: approvals')
export class ApprovalsClientController {
  constructor(
    private readonly db: Db,
    private readonly rates: PersonRates,
    private readonly decideApproval: DecideApproval,
  ) {}

  /** Lists the pending approvals that the caller may decide, newest first, by pages. */
  @Get()
  @ApiOperation({
    operationId: 'listApprovalsAsPerson',
    summary: 'Lists the pending approvals that the caller may decide, newest first, by pages',
  })
  @Answers(ApprovalsPage)
  @documentErrors(400)
  async list(@Caller() caller: UserPrincipal, @Query() query: ListDecidableQuery): Promise<ApprovalsPage> {
    const { rows, nextCursor } = await listDecidable(this.db, caller, query);
    return { ok: true, approvals: rows.map(sharedView), next_cursor: nextCursor };
  }

  /** Returns an approval that the caller may read, and whether the caller may decide it. */
  @Get(':id')
  @ApiOperation({ operationId: 'getApprovalAsPerson', summary: 'Gets an approval' })
  @Answers(PersonalApprovalAnswer)
  @documentErrors(403, 404)
  async get(@Caller() caller: UserPrincipal, @UuidParam('id') id: string): Promise<PersonalApprovalAnswer> {
    const { approval, mayDecide } = await requireReadableApproval(this.db, caller, id);
    return { ok: true, approval: { ...sharedView(approval), may_decide: mayDecide } };
  }

  /** Records the caller's decision. Repeating it is 200. */
  @Post(':id/decide')
  @ApiOperation({ operationId: 'decideApprovalAsPerson', summary: 'Decides an approval' })
  @HttpCode(200)
  @Answers(ApprovalAnswer)
  @documentErrors(400, 403, 404, 410, 413, 429, 503)
  @ApiResponse(ALREADY_DECIDED)
  async decide(
    @Acting() caller: ActingUser,
    @UuidParam('id') id: string,
    @Body() { option_id: optionId, comment, values, rule }: DecideApprovalDto,
  ): Promise<ApprovalAnswer> {
    const decide = () =>
      this.decideApproval.run(caller, id, {
        optionId,
        comment: comment || undefined,
        values: values ?? {},
        rule: {
          conversationId: rule?.conversation_id,
          argumentsSha256: rule?.arguments_sha256,
          expiresInSeconds: rule?.expires_in_seconds,
        },
      });
    return { ok: true, approval: sharedView(await this.rates.charged(caller, decide)) };
  }
}
