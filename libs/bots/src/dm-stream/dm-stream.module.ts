import { Module } from '@nestjs/common';
import { HttpModule } from '@tieline/platform/http';
import { DatabaseModule } from '@tieline/platform/database';
import { BusModule, LiveSettings, SseModule } from '@tieline/live';
import { DmInboxSettings } from '../bots.settings.js';
import { StreamController } from './stream.controller.js';
import { DmInbox } from './dm-inbox.queries.js';
import { DmStreams } from './dm-streams.js';

/** DM streams of bots, for api processes. */
@Module({
  imports: [DatabaseModule, HttpModule, BusModule, SseModule],
  controllers: [StreamController],
  providers: [DmInbox, DmStreams, DmInboxSettings, LiveSettings],
})
export class DmStreamModule {}
