import { Module } from '@nestjs/common';
import { HttpModule } from '@tieline/platform/http';
import { RateLimitModule } from '@tieline/rate-limit';
import { DatabaseModule } from '@tieline/platform/database';
import { MessagesModule, RatesModule } from '@tieline/conversations';
import { FileLookupModule } from '@tieline/files';
import { RunRates } from './rates/run-rates.js';
import { AgentRunSettings } from './agent-runs.settings.js';
import { AgentRunsController } from './agent-runs.controller.js';
import { CreateAgentRun } from './creation/create-agent-run.js';
import { CancelAgentRun } from './endings/cancel-agent-run.js';
import { FinishAgentRun } from './endings/finish-agent-run.js';
import { Placeholders } from './placeholders/placeholder.js';
import { PlaceholderEdits } from './placeholders/placeholder-edits.js';
import { PlaceholderGuardModule } from './placeholders/placeholder-guard.js';
import { AgentRunsClientController } from './stops/agent-runs.client-controller.js';
import { RequestStop } from './stops/request-stop.js';
import { LinkableRunsModule } from './tasks/linkable-runs.js';
import { UpdateAgentRun } from './updates/update-agent-run.js';

/** HTTP endpoints of agent runs. */
@Module({
  imports: [
    DatabaseModule,
    RateLimitModule,
    RatesModule,
    HttpModule,
    FileLookupModule,
    LinkableRunsModule,
    MessagesModule,
    PlaceholderGuardModule,
  ],
  controllers: [AgentRunsController, AgentRunsClientController],
  providers: [
    CreateAgentRun,
    UpdateAgentRun,
    CancelAgentRun,
    FinishAgentRun,
    Placeholders,
    PlaceholderEdits,
    RequestStop,
    RunRates,
    AgentRunSettings,
  ],
})
export class AgentRunsModule {}
