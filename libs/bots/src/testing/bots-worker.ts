import { DeliveryWorkerModule, OutboxModule } from '@tieline/delivery';
import { BusModule } from '@tieline/live';
import { QueueModule, QueueWorkerModule } from '@tieline/queue';
import { StorageModule, StorageWorkerModule } from '@tieline/storage';
import { BotsWorkerModule } from '../bots-worker.module.js';

/**
 * What a worker has up to the layer of bots: with it a test's api does the work in the background
 * too.
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
