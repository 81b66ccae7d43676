import { readFileSync } from 'node:fs';

/**
 * Flags of Node for api and worker, which docker/entrypoint.sh reads as well
 * (docs/scaling.md#memory).
 */
export const NODE_FLAGS = readFileSync(new URL('../../docker/node-flags', import.meta.url), 'utf8')
  .trim()
  .split(' ');
