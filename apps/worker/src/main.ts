import { runApp } from '@tieline/platform/runtime';
import { WorkerModule } from './worker.module.js';

await runApp({
  name: 'worker',
  module: (environment, logger) => WorkerModule.of(environment, logger),
  port: (settings) => settings.workerPort,
});
