export { HealthChecks } from './health-checks.js';
export { createLogger, LOGGER } from './logger.js';
export { Metrics, WORK_SECONDS } from './metrics.js';
export { NestLogger } from './nest-logger.js';
export { ObservabilityModule } from './observability.module.js';
