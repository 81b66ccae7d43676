// as libs/delivery/src/index.ts: @typescript-eslint/no-restricted-imports
import { request } from 'node:https';

export const used = request;
