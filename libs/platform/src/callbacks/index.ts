export { CallbackClient } from './callback-client.js';
export type { Callback, CallbackFailure, CallbackResult } from './callback-client.js';
export { CallbacksModule } from './callbacks.module.js';
