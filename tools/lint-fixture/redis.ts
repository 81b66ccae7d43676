// as libs/platform/src/outbox/index.ts: @typescript-eslint/no-restricted-imports
import { Redis } from 'ioredis';

export const used = Redis;
