// as libs/platform/src/database/index.ts: @nx/enforce-module-boundaries
import { anything } from '../../../spaces/src/index.js';

export const used = anything;
