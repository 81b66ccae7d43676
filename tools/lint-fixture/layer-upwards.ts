// as libs/platform/src/database/index.ts: @nx/enforce-module-boundaries
import { anything } from '@tieline/spaces';

export const used = anything;
