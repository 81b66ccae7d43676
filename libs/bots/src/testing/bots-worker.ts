import { DeliveryWorkerModule, OutboxModule } from '@tieline/delivery';
import { BusModule } from '@tieline/live';
import { QueueModule } from '@tieline/queue';
import { WorkerPlatformModule } from '@tieline/platform/runtime';
import { StorageModule, StorageWorkerModule } from '@tieline/storage';
import { BotsWorkerModule } from '../bots-worker.module.js';

/** What a worker has up to the layer of bots: with it a test's api does the work in the background too. */
export const BOTS_WORKER = [
  BusModule,
  QueueModule,
  StorageModule,
  OutboxModule,
  WorkerPlatformModule,
  StorageWorkerModule,
  DeliveryWorkerModule,
  BotsWorkerModule,
];
