import { DeliveryWorkerModule, OutboxModule } from '@tieline/delivery';
import { BusModule } from '@tieline/live';
import { QueueModule, QueueWorkerModule } from '@tieline/queue';
import { StorageModule, StorageWorkerModule } from '@tieline/storage';
import { BotsWorkerModule } from '../bots-worker.module.js';

/**
 * The modules of a worker up to the bots lib. With them, a test's api also does the background
 * work.
 */
export const BOTS_WORKER = [
  BusModule,
  QueueModule,
  StorageModule,
  OutboxModule,
  QueueWorkerModule,
  StorageWorkerModule,
  DeliveryWorkerModule,
  BotsWorkerModule,
];
