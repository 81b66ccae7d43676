// as libs/bots/src/index.ts: @nx/enforce-module-boundaries
import { eventually } from '@tieline/testing';

export const used = eventually;
