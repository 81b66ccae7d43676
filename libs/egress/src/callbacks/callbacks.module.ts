import { Module } from '@nestjs/common';
import { EgressModule } from '../egress.module.js';
import { EgressMetrics } from '../egress.metrics.js';
import { EgressSettings } from '../egress.settings.js';
import { CallbackClient } from './callback-client.js';

/** Provides the {@link CallbackClient}. */
@Module({
  imports: [EgressModule],
  providers: [CallbackClient, EgressMetrics, EgressSettings],
  exports: [CallbackClient],
})
export class CallbacksModule {}
