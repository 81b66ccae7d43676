// as libs/platform/src/delivery/index.ts: @typescript-eslint/no-restricted-imports
import { request } from 'node:https';

export const used = request;
