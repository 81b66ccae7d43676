import { Module } from '@nestjs/common';
import { HttpModule } from '@tieline/platform/http';
import { DatabaseModule } from '@tieline/platform/database';
import { SseModule, BusModule } from '@tieline/live';
import { ClientStreamController } from './stream/client-stream.client-controller.js';
import { ClientStreams } from './stream/client-stream.js';
import { ClientPresence } from './stream/client-stream.presence.js';
import { FocusClientController } from './focus/focus.client-controller.js';
import { LiveEvents } from './live-events.js';
import { LiveHub } from './hub/live-hub.js';

/**
 * The api's part of live streams: people's streams, presence, and the hub that feeds the streams of
 * people and bots.
 */
@Module({
  imports: [DatabaseModule, BusModule, HttpModule, SseModule],
  controllers: [ClientStreamController, FocusClientController],
  providers: [ClientStreams, ClientPresence, LiveHub, LiveEvents],
  exports: [LiveHub, LiveEvents],
})
export class ClientStreamModule {}
