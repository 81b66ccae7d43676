import { Module } from '@nestjs/common';
import { BusModule } from '@tieline/platform/bus';
import { SseModule } from '@tieline/platform/sse';
import { DmStreamController } from './dm-stream.controller.js';
import { DmStreams } from './dm-streams.js';

/** Bots' DM streams, in an api process. */
@Module({ imports: [BusModule, SseModule], controllers: [DmStreamController], providers: [DmStreams] })
export class DmStreamModule {}
