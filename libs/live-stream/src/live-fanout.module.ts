import { Module } from '@nestjs/common';
import { RelayModule } from '@tieline/delivery';
import { BusModule } from '@tieline/live';
import { ChatEventsModule } from '@tieline/conversations';
import { LiveFanout } from './live-fanout.js';
import { StatusEnds } from './status/status-ends.js';

/**
 * The worker's part of live streams: publishes committed events to the streams of all api
 * processes.
 */
@Module({ imports: [BusModule, RelayModule, ChatEventsModule], providers: [LiveFanout, StatusEnds] })
export class LiveFanoutModule {}
