import { Module } from '@nestjs/common';
import { BusModule, SseModule } from '@tieline/live';
import { DmStreamController } from './dm-stream.controller.js';
import { DmStreams } from './dm-streams.js';

/** Bots' DM streams, in an api process. */
@Module({ imports: [BusModule, SseModule], controllers: [DmStreamController], providers: [DmStreams] })
export class DmStreamModule {}
