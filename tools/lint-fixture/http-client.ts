// as libs/webhooks/src/index.ts: @typescript-eslint/no-restricted-imports
import { request } from 'undici';

export const used = request;
