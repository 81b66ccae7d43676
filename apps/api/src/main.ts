import { serveOpenApi } from '@tieline/platform/http';
import { runApp } from '@tieline/platform/runtime';
import { ApiModule } from './api.module.js';

await runApp({
  name: 'api',
  module: (config, logger) => ApiModule.of(config, logger),
  port: (config) => config.port,
  prepare: (app, config) => serveOpenApi(app, config.publicUrl),
});
