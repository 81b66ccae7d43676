import { Module } from '@nestjs/common';
import { EgressSettings } from '@tieline/egress';
import { BusModule } from '@tieline/live';
import { DatabaseModule } from '@tieline/platform/database';
import { Trials } from './trials.js';

/** Provides {@link Trials} to modules that send tests. */
@Module({
  imports: [DatabaseModule, BusModule],
  providers: [Trials, EgressSettings],
  exports: [Trials],
})
export class TrialsModule {}
