// as libs/delivery/src/index.ts: @typescript-eslint/no-restricted-imports
import { AsyncLocalStorage } from 'node:async_hooks';

export const used = AsyncLocalStorage;
