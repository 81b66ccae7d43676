// as libs/webhooks/src/incoming/formats/formats.ts: @typescript-eslint/no-restricted-imports
import { FORMATS } from '../native/registry.js';

export const used = FORMATS;
