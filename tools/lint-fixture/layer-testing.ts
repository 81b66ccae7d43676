// as libs/bots/src/index.ts: no-restricted-imports
import { eventually } from '@tieline/testing';

export const used = eventually;
