import { Module } from '@nestjs/common';
import { DeliveryWakeupsModule } from './engine/claims/delivery-wakeups.module.js';
import { OutboxModule } from './outbox/outbox.module.js';

/** In the api: tells the workers what it commits, events and deliveries. */
@Module({ imports: [OutboxModule, DeliveryWakeupsModule] })
export class DeliveryApiModule {}
