export {
  AddressNotAllowedError,
  EgressPolicy,
  type EgressPolicyOptions,
  type EgressRefusal,
  type EgressSettings,
  type EgressVerdict,
} from './egress-policy.js';
export {
  EgressClient,
  type EgressClientOptions,
  type EgressClientSettings,
  type EgressRequest,
} from './egress-client.js';
export type {
  EgressRefused,
  EgressResponse,
  EgressResult,
  EgressTimeout,
  EgressTransportError,
} from './egress-result.js';
export { dnsResolver, type ResolveHost } from './resolve-host.js';
export { EgressModule } from './egress.module.js';
