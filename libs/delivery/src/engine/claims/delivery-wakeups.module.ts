import { Module } from '@nestjs/common';
import type { OnModuleDestroy } from '@nestjs/common';
import { Bus, BusModule } from '@tieline/live';
import { Db, DatabaseModule } from '@tieline/platform/database';
import { DELIVERIES } from '../plan-deliveries.js';

/** Bus channel that tells the engines of all workers to look. */
export const DELIVERIES_CHANNEL = 'deliveries';

/** In every process that plans deliveries, test sends and redeliveries of the api among them: wakes the workers' engines. */
@Module({ imports: [DatabaseModule, BusModule] })
export class DeliveryWakeupsModule implements OnModuleDestroy {
  private readonly end: () => void;

  constructor(db: Db, bus: Bus) {
    this.end = db.onSignal(DELIVERIES, () => bus.publish(DELIVERIES_CHANNEL, 1));
  }

  onModuleDestroy(): void {
    this.end();
  }
}
