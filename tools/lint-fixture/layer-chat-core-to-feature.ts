// as libs/conversations/src/index.ts: @nx/enforce-module-boundaries
import { anything } from '@tieline/bots';

export const used = anything;
