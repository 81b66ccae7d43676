import { Controller, HttpCode, Post, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { PersonRates } from '@tieline/conversations';
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
import { ShownRunAnswer, shownRunView } from '../agent-run.view.js';
import { runIdMalformed } from '../agent-runs.errors.js';
import { ExactAnswers } from '../sequence/exact-answers.js';
import { RequestStop } from './request-stop.js';

/** Runs for people: docs/agent-runs.md#stop. */
@Controller('api/v1/client/agent_runs')
@ClientApi()
@RequiresScope('runs')
@HasOwnRate()
@UseInterceptors(ExactAnswers)
@ApiTags('person: agent runs')
export class AgentRunsClientController {
  constructor(
    private readonly rates: PersonRates,
    private readonly requestStop: RequestStop,
  ) {}

  /**
   * Asks the bot to stop a run of a conversation that the caller is a member of. The bot ends the
   * run; if it has not within AGENT_STOP_GRACE_SECONDS, the run is cancelled. A repeat returns the
   * run unchanged.
   */
  @Post(':run_id/stop')
  @ApiOperation({ operationId: 'stopAgentRunAsPerson', summary: 'Asks a bot to stop a run' })
  @HttpCode(200)
  @Answers(ShownRunAnswer)
  @documentErrors(400, 403, 404, 409, 429)
  async stop(
    @Caller() caller: UserPrincipal,
    @UuidParam('run_id', runIdMalformed) runId: string,
  ): Promise<ShownRunAnswer> {
    const run = await this.rates.charged(caller, () => this.requestStop.run(caller, runId));
    return { ok: true, run: shownRunView(run) };
  }
}
