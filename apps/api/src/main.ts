import { serveOpenApi } from '@tieline/platform/http';
import { runApp } from '@tieline/platform/runtime';
import { ApiModule } from './api.module.js';
import { GUIDES, INTRODUCTION, MODELS, SENT, STREAMS } from './described.js';

await runApp({
  name: 'api',
  module: (environment, logger) => ApiModule.of(environment, logger),
  port: (settings) => settings.port,
  privateParts: ({ metricsPort, operatorPort }) => [
    { port: metricsPort, path: '/metrics' },
    { port: operatorPort, path: '/api/v1/operator' },
  ],
  required: ['OPERATOR_TOKEN'],
  prepare: (app) =>
    serveOpenApi(app, {
      description: INTRODUCTION,
      sent: SENT,
      streams: STREAMS,
      models: MODELS,
      guides: GUIDES,
    }),
});
