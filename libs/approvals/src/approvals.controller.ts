import { Body, Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { BotRates } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  bodyReader,
  BotApi,
  Caller,
  documentErrors,
  HasOwnRate,
  RequiresScope,
  UuidParam,
} from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { Acting } from '@tieline/spaces';
import type { ActingBot } from '@tieline/spaces';
import type { FastifyReply } from 'fastify';
import { listApprovals, requireOwnApproval } from './approval.queries.js';
import { ALREADY_DECIDED, ApprovalAnswer, ApprovalsPage, approvalView } from './approval.view.js';
import { ApprovalSettings } from './approvals.settings.js';
import { CreateApproval, findRepeat } from './creation/create-approval.js';
import { GetApprovalQuery, ListApprovalsQuery } from './dto/approvals.query.js';
import { CreateApprovalDto, newApproval } from './dto/create-approval.dto.js';
import { CancelApprovalDto } from './dto/decide-approval.dto.js';
import { CancelApproval } from './endings/cancel-approval.js';
import { ApprovalWaiters } from './waiting/approval-waiters.js';

const readReason = bodyReader(CancelApprovalDto);

/** Approvals of bots: docs/approvals.md. */
@Controller('api/v1/bot/approvals')
@BotApi()
@RequiresScope('approvals')
@HasOwnRate()
@ApiTags('bot: approvals')
export class ApprovalsController {
  constructor(
    private readonly db: Db,
    private readonly rates: BotRates,
    private readonly settings: ApprovalSettings,
    private readonly createApproval: CreateApproval,
    private readonly cancelApproval: CancelApproval,
    private readonly waiters: ApprovalWaiters,
  ) {}

  /**
   * Asks people to decide, and posts a card in the conversation. A repeat with the same
   * `external_id` and body returns the existing approval.
   */
  @Post()
  @ApiOperation({ operationId: 'createApproval', summary: 'Asks people for an approval' })
  @HttpCode(200)
  @Answers(ApprovalAnswer)
  @documentErrors(400, 403, 409, 413, 429, 503)
  async create(@Acting() bot: ActingBot, @Body() body: CreateApprovalDto): Promise<ApprovalAnswer> {
    const request = newApproval(body);
    const key = `bot:{${bot.botId}}:approvals`;
    const rules = [{ key, limit: this.settings.createdPerSecond, windowMs: 1000 }];
    const { approval } = await this.rates.charge(rules, bot, () => this.createApproval.run(bot, request), {
      findRepeat: () => findRepeat(this.db, bot, request),
      isRepeat: ({ isRepeat }) => isRepeat,
    });
    return { ok: true, approval: approvalView(approval) };
  }

  /** Lists the bot's approvals, newest first, by pages. */
  @Get()
  @ApiOperation({
    operationId: 'listApprovals',
    summary: "Lists the bot's approvals, newest first, by pages",
  })
  @Answers(ApprovalsPage)
  @documentErrors(400)
  async list(@Caller() bot: BotPrincipal, @Query() query: ListApprovalsQuery): Promise<ApprovalsPage> {
    const { rows, nextCursor } = await listApprovals(this.db, bot, query);
    return { ok: true, approvals: rows.map(approvalView), next_cursor: nextCursor };
  }

  /**
   * Returns an approval. With `wait`, responds when it is decided or has ended, at the latest
   * after that many seconds.
   */
  @Get(':id')
  @ApiOperation({
    operationId: 'getApproval',
    summary: 'Gets an approval, optionally waiting until it is decided',
  })
  @Answers(ApprovalAnswer)
  @documentErrors(400, 403, 404, 503)
  async get(
    @Caller() bot: BotPrincipal,
    @UuidParam('id') id: string,
    @Query() { wait }: GetApprovalQuery,
    @Res({ passthrough: true }) { raw }: FastifyReply,
  ): Promise<ApprovalAnswer> {
    const gone = new AbortController();
    if (wait > 0) raw.once('close', () => gone.abort());
    const read = () => requireOwnApproval(this.db, bot, id);
    const approval = await this.waiters.untilEnded(read, { id, botId: bot.botId, wait, gone: gone.signal });
    return { ok: true, approval: approvalView(approval) };
  }

  /** Cancels a pending approval. Repeating it is 200. */
  @Post(':id/cancel')
  @ApiOperation({ operationId: 'cancelApproval', summary: 'Cancels a pending approval' })
  @HttpCode(200)
  @ApiBody({ type: CancelApprovalDto, required: false })
  @Answers(ApprovalAnswer)
  @documentErrors(400, 403, 404, 413, 429, 503)
  @ApiResponse(ALREADY_DECIDED)
  async cancel(
    @Acting() bot: ActingBot,
    @UuidParam('id') id: string,
    @Body() body: object | undefined,
  ): Promise<ApprovalAnswer> {
    const { reason } = readReason(body ?? {});
    const cancel = () => this.cancelApproval.run(bot, id, reason || undefined);
    return { ok: true, approval: approvalView(await this.rates.write(bot, cancel)) };
  }
}
