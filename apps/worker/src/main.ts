import { runApp } from '@tieline/platform/runtime';
import { WorkerModule } from './worker.module.js';

await runApp({
  name: 'worker',
  module: (config, logger) => WorkerModule.of(config, logger),
  port: (config) => config.workerPort,
});
