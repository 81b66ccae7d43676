// as libs/testing/src/index.ts: @typescript-eslint/no-restricted-imports
import getPort from 'get-port';

export const used = getPort;
