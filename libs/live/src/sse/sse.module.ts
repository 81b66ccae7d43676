import { Global, Module } from '@nestjs/common';
import { LiveSettings } from '../live.settings.js';
import { LiveMetrics } from '../live.metrics.js';
import { SseStreams } from './sse-streams.js';

/** Provides {@link SseStreams} to the whole process. */
@Global()
@Module({ providers: [SseStreams, LiveSettings, LiveMetrics], exports: [SseStreams] })
export class SseModule {}
