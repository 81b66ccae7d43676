export {
  AddressNotAllowedError,
  EgressPolicy,
  type EgressPolicyOptions,
  type EgressRefusal,
  type EgressVerdict,
} from './policy/egress-policy.js';
export { EgressClient, type EgressClientOptions, type EgressRequest } from './client/egress-client.js';
export type {
  EgressRefused,
  EgressResponse,
  EgressResult,
  EgressTimeout,
  EgressTransportError,
} from './client/egress-result.js';
export { dnsResolver, type ResolveHost } from './policy/resolve-host.js';
export { EgressSettings } from './egress.settings.js';
export { EgressModule } from './egress.module.js';
export { CallbackClient } from './callbacks/callback-client.js';
export type { Callback, CallbackFailure, CallbackResult } from './callbacks/callback-client.js';
export { CallbacksModule } from './callbacks/callbacks.module.js';
