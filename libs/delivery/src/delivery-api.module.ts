import { Module } from '@nestjs/common';
import { DeliveryWakeupsModule } from './engine/claims/delivery-wakeups.module.js';
import { OutboxModule } from './outbox/outbox.module.js';

/** Wakes workers after commits of the api that append events or plan deliveries. */
@Module({ imports: [OutboxModule, DeliveryWakeupsModule] })
export class DeliveryApiModule {}
