export { Client, SDK_VERSION, TielineError } from './client.js';
export type { CallOptions, ClientOptions, TielineErrorDetails } from './client.js';
