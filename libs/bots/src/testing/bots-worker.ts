import { DeliveryWorkerModule, OutboxModule } from '@tieline/delivery';
import { BusModule } from '@tieline/live';
import { QueueModule, QueueWorkerModule } from '@tieline/queue';
import { StorageModule, StorageWorkerModule } from '@tieline/storage';
import { supply } from '@tieline/conversations/testing';
import { SlackEvents } from '../events/slack-events.js';
import { BotsWorkerModule } from '../bots-worker.module.js';

/** No lib translates events to Slack's format. */
export const UNTRANSLATED: SlackEvents = { translate: async (_tx, events) => events.map(() => []) };

/** Provides {@link UNTRANSLATED}. */
export const NO_SLACK_EVENTS = supply({ provide: SlackEvents, useValue: UNTRANSLATED });

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
  NO_SLACK_EVENTS,
  BotsWorkerModule,
];
