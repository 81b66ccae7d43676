import { Module } from '@nestjs/common';
import { DatabaseModule } from '@tieline/platform/database';
import { BusModule } from '../bus/bus.module.js';
import { AccessChanges } from './access-changes.js';

/** Provides {@link AccessChanges} for processes that change bots, people or spaces. */
@Module({ imports: [DatabaseModule, BusModule], providers: [AccessChanges], exports: [AccessChanges] })
export class AccessModule {}
