import { Global, Module } from '@nestjs/common';
import { SseStreams } from './sse-streams.js';

/** Provides {@link SseStreams} to the whole process. */
@Global()
@Module({ providers: [SseStreams], exports: [SseStreams] })
export class SseModule {}
