// as libs/delivery/src/index.ts: @typescript-eslint/no-restricted-imports
import { Redis } from 'ioredis';

export const used = Redis;
