import { Module } from '@nestjs/common';

/** What the worker does for bots: their events. */
@Module({})
export class BotsWorkerModule {}
