/** `@tieline/sdk/client`: what runs in browsers and Deno too. */
export { Client } from './client/client.js';
export type { CallOptions, ClientOptions } from './client/client.js';
export { TielineError } from './client/tieline-error.js';
export type { TielineErrorDetails } from './client/tieline-error.js';
export { SDK_VERSION } from './version.js';
