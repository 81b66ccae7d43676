import { Body, Controller, Get, HttpCode, Patch, Post, Req, UseInterceptors } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import { KeyedSemaphore } from '@tieline/background';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  BotApi,
  Caller,
  documentErrors,
  HasOwnRate,
  HeaderText,
  RequiresScope,
  UuidParam,
} from '@tieline/platform/http';
import type { BotPrincipal, RawBodyRequest } from '@tieline/platform/http';
import { requiredIdempotencyKey } from '@tieline/idempotency';
import { findOwnRun } from './agent-run.queries.js';
import type { AgentRun } from './agent-run.entity.js';
import { AgentRunAnswer, runView } from './agent-run.view.js';
import { runIdMalformed, runNotFound } from './agent-runs.errors.js';
import { CancelAgentRun } from './endings/cancel-agent-run.js';
import { CreateAgentRun, findRepeatedRun } from './creation/create-agent-run.js';
import type { NewRun } from './creation/create-agent-run.js';
import { CreateAgentRunDto, newRun } from './dto/create-agent-run.dto.js';
import { runUpdate, UpdateAgentRunDto } from './dto/update-agent-run.dto.js';
import { PlaceholderEdits } from './placeholders/placeholder-edits.js';
import { attachmentStatusNow } from './endings/run-files.js';
import { RunRates } from './rates/run-rates.js';
import { ExactAnswers } from './sequence/exact-answers.js';
import { UpdateAgentRun } from './updates/update-agent-run.js';

/** Long-running answers of bots. */
@Controller('api/v1/bot/agent_runs')
@BotApi()
@RequiresScope('runs')
@HasOwnRate()
@UseInterceptors(ExactAnswers)
@ApiTags('bot: agent runs')
export class AgentRunsController {
  private readonly creating = new KeyedSemaphore(1);

  constructor(
    private readonly db: Db,
    private readonly rates: RunRates,
    private readonly createRun: CreateAgentRun,
    private readonly updateRun: UpdateAgentRun,
    private readonly cancelRun: CancelAgentRun,
    private readonly edits: PlaceholderEdits,
  ) {}

  /**
   * Creates a run that answers a person's message, and its placeholder, a bot message that shows
   * the run's status. A repeat with the same key returns the existing run. With another
   * conversation or trigger it is 409.
   */
  @Post()
  @ApiOperation({ operationId: 'createAgentRun', summary: 'Starts a run and posts its placeholder message' })
  @HttpCode(200)
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'up to 128 characters of A-Z a-z 0-9 . _ : -; in the header or the body',
  })
  @Answers(AgentRunAnswer)
  @documentErrors(400, 403, 404, 409, 413, 429, 503)
  async create(
    @Caller() bot: BotPrincipal,
    @Body() body: CreateAgentRunDto,
    @HeaderText('idempotency-key') header?: string,
  ): Promise<AgentRunAnswer> {
    const key = requiredIdempotencyKey(header, body.idempotency_key);
    const request = newRun(body, key);
    // Repeats during the first request wait for it, so that they are recognized and use no rate.
    return this.answer(
      await this.creating.run(`${bot.botId} ${key}`, () => this.createOrRepeat(bot, request)),
    );
  }

  /** Returns a run. */
  @Get(':run_id')
  @ApiOperation({ operationId: 'getAgentRun', summary: 'Gets a run of the calling bot' })
  @Answers(AgentRunAnswer)
  @documentErrors(400, 404)
  async get(
    @Caller() bot: BotPrincipal,
    @UuidParam('run_id', runIdMalformed) runId: string,
  ): Promise<AgentRunAnswer> {
    const run = await findOwnRun(this.db, bot, runId);
    if (!run) throw runNotFound();
    return this.answer(run);
  }

  /**
   * Updates a run: any status, with a sequence greater than the stored one. A repeat of the last
   * accepted update returns the run unchanged. The placeholder follows within 200 ms, and
   * immediately when the run ends. `append` adds to the text, up to 50 times a second, and the
   * placeholder follows once a second.
   */
  @Patch(':run_id')
  @ApiOperation({
    operationId: 'updateAgentRun',
    summary: 'Changes the status and text of a run of the calling bot',
  })
  @Answers(AgentRunAnswer)
  @documentErrors(400, 403, 404, 409, 413, 429, 503)
  async update(
    @Caller() bot: BotPrincipal,
    @UuidParam('run_id', runIdMalformed) runId: string,
    @Body() body: UpdateAgentRunDto,
    @Req() request: RawBodyRequest,
  ): Promise<AgentRunAnswer> {
    const update = runUpdate(body, request.rawBody?.toString('utf8') ?? '');
    const apply = () => this.updateRun.run(bot, runId, update);
    const { run, editInMs } = await (update.append === undefined
      ? this.rates.chargedChange(bot, runId, apply)
      : this.rates.chargedAppend(bot, runId, apply));
    if (editInMs === 0 && update.append === undefined) await this.edits.edit(run);
    else if (editInMs !== undefined) await this.edits.editOrSchedule(run, editInMs);
    return this.answer(run);
  }

  /** Cancels a run and increments its sequence. */
  @Post(':run_id/cancel')
  @ApiOperation({ operationId: 'cancelAgentRun', summary: 'Cancels a run of the calling bot' })
  @HttpCode(200)
  @Answers(AgentRunAnswer)
  @documentErrors(400, 404, 409, 429, 503)
  async cancel(
    @Caller() bot: BotPrincipal,
    @UuidParam('run_id', runIdMalformed) runId: string,
  ): Promise<AgentRunAnswer> {
    return this.answer(await this.rates.chargedChange(bot, runId, () => this.cancelRun.run(bot, runId)));
  }

  private async createOrRepeat(bot: BotPrincipal, request: NewRun): Promise<AgentRun> {
    const repeated = await findRepeatedRun(this.db, bot, request);
    return (
      repeated ??
      this.rates.chargedCreation(bot, request.conversationId, () => this.createRun.run(bot, request))
    );
  }

  private async answer(run: AgentRun): Promise<AgentRunAnswer> {
    const attachmentStatus = await attachmentStatusNow(this.db, run);
    return {
      ok: true,
      agent_run: runView({ ...run, attachmentStatus }),
      ...(run.stopRequestedAt !== null && { stop_requested: true }),
    };
  }
}
