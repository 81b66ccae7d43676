import { Module } from '@nestjs/common';
import { FileLookupModule } from '@tieline/files';
import { AgentRunsController } from './agent-runs.controller.js';
import { PlaceholderEdits } from './placeholder-edits.js';
import './placeholder-guard.js';
import './run-links.js';

/** Long answers of bots over HTTP. */
@Module({ imports: [FileLookupModule], controllers: [AgentRunsController], providers: [PlaceholderEdits] })
export class AgentRunsModule {}
