import { Module } from '@nestjs/common';
import { RelayModule } from '@tieline/delivery';
import { BusModule } from '@tieline/live';
import { LiveFanout } from './live-fanout.js';

/**
 * The worker's part of live streams: publishes committed events to the streams of all api
 * processes.
 */
@Module({ imports: [BusModule, RelayModule], providers: [LiveFanout] })
export class LiveFanoutModule {}
