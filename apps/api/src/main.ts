import { serveOpenApi } from '@tieline/platform/http';
import { runApp } from '@tieline/platform/runtime';
import { ApiModule } from './api.module.js';
import { GUIDES, INTRODUCTION, MODELS, SENT, STREAMS } from './described.js';

await runApp({
  name: 'api',
  module: (environment, logger) => ApiModule.of(environment, logger),
  port: (settings) => settings.port,
  privatePorts: ({ metricsPort, operatorPort }) => ({ metrics: metricsPort, operator: operatorPort }),
  required: ['OPERATOR_TOKEN'],
  prepare: (app, settings) =>
    serveOpenApi(app, {
      hasPage: settings.apiDocs,
      description: INTRODUCTION,
      sent: SENT,
      streams: STREAMS,
      models: MODELS,
      guides: GUIDES,
    }),
});
