/** What `no-restricted-imports` forbids, in most files. */

export const QUEUES = {
  regex: '^(bullmq|ioredis)$',
  message: 'only queue, redis, rate-limit and live/bus speak to the queue and Redis',
};
export const HTTP = {
  regex: '^((node:)?(https?|http2)|undici)$',
  allowTypeImports: true,
  message: 'outgoing HTTP goes through @tieline/egress',
};
export const NODE = { regex: '^node:', message: 'there is no Node in a browser' };
export const FORWARD_REF = {
  name: '@nestjs/common',
  importNames: ['forwardRef'],
  message: 'no cycles: move what both need to a layer below',
};

/** Node.js 20 then calls hooks for each promise of the process, which allocate. */
export const ASYNC_STORAGE = {
  name: 'node:async_hooks',
  importNames: ['AsyncLocalStorage'],
  message: 'pass the value, or keep it in a WeakMap by transaction',
};

/** Between the look and the start of a program, the system can give the port to another one. */
export const GET_PORT = {
  name: 'get-port',
  message: 'take freePort of tools/free-port.mjs, which reserves the port',
};

/**
 * Folders of incoming webhooks that each folder may not import. `read-message.ts` is above all
 * three.
 */
const INCOMING = { message: 'formats|native', formats: 'native', native: 'formats' };

/** Files and forbidden imports of each of these folders. */
export const INCOMING_LAYERS = Object.entries(INCOMING).map(([folder, others]) => ({
  files: [`libs/webhooks/src/incoming/${folder}/**/*.ts`],
  pattern: {
    regex: `^(\\.\\./)+(${others})/`,
    message: 'only read-message.ts chooses between documented and native formats',
  },
}));
