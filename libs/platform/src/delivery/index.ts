export type { AttemptFacts, DeliveryKind, DeliveryTarget } from './delivery-kinds.js';
export { DeliveryKinds } from './delivery-kinds.js';
export { findDelivery, listDeliveries } from './delivery.queries.js';
export type { DeliveryDetail, DeliveryFilter, DeliverySummary, ListRequest } from './delivery.queries.js';
export type { ClaimedDelivery, NewDelivery, NewPayload, SettledDelivery } from './delivery.types.js';
export { killPending } from './kill-pending.js';
export type { KillRequest } from './kill-pending.js';
export { DELIVERIES, planDeliveries } from './plan-deliveries.js';
export { backoffMs, retryAfterMs } from './retry-policy.js';
