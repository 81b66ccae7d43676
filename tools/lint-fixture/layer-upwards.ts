// as libs/platform/src/database/index.ts: no-restricted-imports
import { anything } from '@tieline/spaces';

export const used = anything;
