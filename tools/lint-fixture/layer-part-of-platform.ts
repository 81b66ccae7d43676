// as libs/platform/src/database/index.ts: no-restricted-imports
import { anything } from '../../../spaces/src/index.js';

export const used = anything;
