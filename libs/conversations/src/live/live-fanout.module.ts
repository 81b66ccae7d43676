import { Module } from '@nestjs/common';
import { RelayModule } from '@tieline/delivery';
import { BusModule } from '@tieline/live';
import { LiveFanout } from './live-fanout.js';

/** The live part of a worker: hands committed events on to the streams of all api processes. */
@Module({ imports: [BusModule, RelayModule], providers: [LiveFanout] })
export class LiveFanoutModule {}
