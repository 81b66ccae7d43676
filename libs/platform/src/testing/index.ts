export { eventually } from './eventually.js';
export type { EventuallyOptions } from './eventually.js';
export { freePort } from './free-port.js';
export { failing, Receiver, startReceiver } from './receiver.js';
export type { ReceivedRequest, ReceiverAnswer, ReceiverHandler } from './receiver.js';
export { createTestDatabase } from './test-database.js';
export type { TestDatabase } from './test-database.js';
export { testRedisUrl } from './test-redis.js';
