import { Module } from '@nestjs/common';
import { DatabaseModule } from '@tieline/platform/database';
import { BusModule } from '../bus/bus.module.js';
import { AccessChanges } from './access-changes.js';

/** Provides {@link AccessChanges}: every process that changes bots, persons or spaces needs it. */
@Module({ imports: [DatabaseModule, BusModule], providers: [AccessChanges], exports: [AccessChanges] })
export class AccessModule {}
