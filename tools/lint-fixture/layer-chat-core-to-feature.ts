// as libs/conversations/src/index.ts: no-restricted-imports
import { anything } from '@tieline/bots';

export const used = anything;
