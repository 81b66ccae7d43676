import { Module } from '@nestjs/common';
import { BusModule, SseModule } from '@tieline/live';
import { StreamController } from './stream.controller.js';
import { DmStreams } from './dm-streams.js';

/** Bots' DM streams, in an api process. */
@Module({ imports: [BusModule, SseModule], controllers: [StreamController], providers: [DmStreams] })
export class DmStreamModule {}
