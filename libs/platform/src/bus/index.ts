export { Bus } from './bus.js';
export type { BusEvents, BusHandler } from './bus.js';
export { LiveBus } from './live-bus.js';
export { PostgresTransport } from './postgres-transport.js';
export { RedisTransport } from './redis-transport.js';
export { BusModule } from './bus.module.js';
