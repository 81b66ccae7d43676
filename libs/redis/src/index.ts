export { openAnyNode, openRedis } from './connections.js';
export type { RedisClient } from './connections.js';
export { readAddress } from './address.js';
