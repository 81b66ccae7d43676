export { EgressPolicy, PublicEgressPolicy, type EgressRefusal } from './policy/egress-policy.js';
export { EgressClient } from './client/egress-client.js';
export type { EgressResult } from './client/egress-result.js';
export { EgressSettings } from './egress.settings.js';
export { EgressModule, PUBLIC_POLICY_OF_TESTS } from './egress.module.js';
export { urlRefused } from './policy/url-refused.js';
export type { Callback, CallbackAttempt } from './callbacks/callback-client.js';
export { CallbackClient } from './callbacks/callback-client.js';
export { CallbacksModule } from './callbacks/callbacks.module.js';
