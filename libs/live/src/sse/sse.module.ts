import { Module } from '@nestjs/common';
import { HttpModule } from '@tieline/platform/http';
import { AccessModule } from '../access/access.module.js';
import { LiveSettings } from '../live.settings.js';
import { LiveMetrics } from '../live.metrics.js';
import { SseStreams } from './sse-streams.js';

/** Provides {@link SseStreams} to the process. */
@Module({
  imports: [HttpModule, AccessModule],
  providers: [SseStreams, LiveSettings, LiveMetrics],
  exports: [SseStreams],
})
export class SseModule {}
