import { serveOpenApi } from '@tieline/platform/http';
import { runApp } from '@tieline/platform/runtime';
import { ApiModule } from './api.module.js';

await runApp({
  name: 'api',
  module: (environment, logger) => ApiModule.of(environment, logger),
  port: (settings) => settings.port,
  prepare: (app, settings) => serveOpenApi(app, settings.publicUrl),
});
