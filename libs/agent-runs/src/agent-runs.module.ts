import { Module } from '@nestjs/common';
import { HttpModule } from '@tieline/platform/http';
import { RateLimitModule } from '@tieline/rate-limit';
import { DatabaseModule } from '@tieline/platform/database';
import { BotRateSettings, MessagesModule } from '@tieline/conversations';
import { FileLookupModule } from '@tieline/files';
import { RunRates } from './rates/run-rates.js';
import { AgentRunSettings } from './agent-runs.settings.js';
import { AgentRunsController } from './agent-runs.controller.js';
import { PlaceholderEdits } from './placeholders/placeholder-edits.js';
import { PlaceholderGuardModule } from './placeholders/placeholder-guard.js';
import { LinkableRunsModule } from './tasks/linkable-runs.js';

/** HTTP endpoints of agent runs. */
@Module({
  imports: [
    DatabaseModule,
    RateLimitModule,
    HttpModule,
    FileLookupModule,
    LinkableRunsModule,
    MessagesModule,
    PlaceholderGuardModule,
  ],
  controllers: [AgentRunsController],
  providers: [PlaceholderEdits, RunRates, AgentRunSettings, BotRateSettings],
})
export class AgentRunsModule {}
