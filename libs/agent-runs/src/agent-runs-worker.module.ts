import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { MessagesModule } from '@tieline/conversations';
import { DatabaseModule } from '@tieline/platform/database';
import { QueueWorkerModule } from '@tieline/queue';
import { AgentRunSettings } from './agent-runs.settings.js';
import { ExpireAgentRuns } from './endings/expire-agent-runs.js';
import { FinishAgentRun } from './endings/finish-agent-run.js';
import { RUN_EXPIRY, RunExpiryProcessor } from './endings/run-expiry.processor.js';
import { OVERDUE_RUN_EDITS, OverdueRunEditsProcessor } from './placeholders/overdue-run-edits.processor.js';
import { Placeholders } from './placeholders/placeholder.js';
import { PlaceholderGuardModule } from './placeholders/placeholder-guard.js';

/**
 * Background work for runs: expires inactive runs and edits placeholders that a crashed process
 * left behind.
 */
@Module({
  imports: [
    DatabaseModule,
    QueueWorkerModule,
    MessagesModule,
    PlaceholderGuardModule,
    BullModule.registerQueue({ name: RUN_EXPIRY }, { name: OVERDUE_RUN_EDITS }),
  ],
  providers: [
    AgentRunSettings,
    Placeholders,
    FinishAgentRun,
    ExpireAgentRuns,
    RunExpiryProcessor,
    OverdueRunEditsProcessor,
  ],
})
export class AgentRunsWorkerModule {}
