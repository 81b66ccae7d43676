import { Module } from '@nestjs/common';
import { FileLookupModule } from '@tieline/files';
import { AgentRunsController } from './agent-runs.controller.js';
import { PlaceholderEdits } from './placeholders/placeholder-edits.js';
import './placeholders/placeholder-guard.js';
import { LinkableRunsModule } from './tasks/linkable-runs.js';

/** Long answers of bots over HTTP. */
@Module({
  imports: [FileLookupModule, LinkableRunsModule],
  controllers: [AgentRunsController],
  providers: [PlaceholderEdits],
})
export class AgentRunsModule {}
