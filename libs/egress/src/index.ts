export { EgressPolicy, type EgressRefusal } from './policy/egress-policy.js';
export { EgressClient } from './client/egress-client.js';
export type { EgressResult } from './client/egress-result.js';
export { EgressSettings } from './egress.settings.js';
export { EgressModule } from './egress.module.js';
export { callbackUrlRefused } from './callbacks/callback-url-refused.js';
export type { Callback, CallbackAttempt } from './callbacks/callback-client.js';
export { CallbackClient } from './callbacks/callback-client.js';
export { CallbacksModule } from './callbacks/callbacks.module.js';
