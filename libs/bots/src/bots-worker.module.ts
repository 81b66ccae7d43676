import { Module } from '@nestjs/common';
import { DmInboxKeeper } from './dm-stream/dm-inbox-keeper.js';

/** What the worker does for bots: their events. */
@Module({ providers: [DmInboxKeeper] })
export class BotsWorkerModule {}
