import { Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { EditMessage, MessagesModule } from '@tieline/conversations';
import { Db, DatabaseModule } from '@tieline/platform/database';
import { defineJob, QueueWorkerHost, QueueWorkerModule } from '@tieline/queue';
import { AgentRunSettings } from './agent-runs.settings.js';
import { expireAgentRuns } from './endings/expire-agent-runs.js';
import { PlaceholderGuardModule } from './placeholders/placeholder-guard.js';
import { editOverdue } from './placeholders/placeholder-edits.js';

const EXPIRE = defineJob('agent-runs.expire');
const EDIT_OVERDUE = defineJob('agent-runs.edit-overdue');
const LOOK_MS = 1000;

/** The worker's part of runs: it expires those without updates, and edits placeholders whose process died. */
@Module({
  imports: [DatabaseModule, QueueWorkerModule, MessagesModule, PlaceholderGuardModule],
  providers: [AgentRunSettings],
})
export class AgentRunsWorkerModule implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly editMessage: EditMessage,
    private readonly settings: AgentRunSettings,
    private readonly jobs: QueueWorkerHost,
  ) {}

  onModuleInit(): void {
    this.jobs.register(
      EXPIRE,
      async () =>
        raise(
          'agent runs could not be ended',
          await expireAgentRuns(this.db, this.editMessage, this.settings.timeoutSeconds),
        ),
      { everyMs: LOOK_MS },
    );
    this.jobs.register(
      EDIT_OVERDUE,
      async () => raise('placeholders could not be edited', await editOverdue(this.db, this.editMessage)),
      { everyMs: LOOK_MS },
    );
  }
}

/** The job counts and is logged as failed, with one of the reasons. */
function raise(text: string, errors: unknown[]): void {
  if (errors.length > 0) throw new Error(`${errors.length} ${text}`, { cause: errors[0] });
}
