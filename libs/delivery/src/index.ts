export { DeliverySettings } from './delivery.settings.js';
export { DeliveryApiModule } from './delivery-api.module.js';
export { DeliveryWorkerModule } from './delivery-worker.module.js';
export { countDeadLetters, deadLetterCounter } from './engine/results/count-dead-letters.js';
export { DeliveryModule } from './engine/delivery.module.js';
export { DeliveryEngine } from './engine/delivery-engine.js';
export type { AttemptFacts, DeliveryKind, DeliveryTarget } from './engine/delivery-kinds.js';
export { DeliveryKinds } from './engine/delivery-kinds.js';
export { findDelivery, listDeliveries } from './engine/delivery.queries.js';
export type {
  DeliveryDetail,
  DeliveryFilter,
  DeliverySummary,
  ListRequest,
} from './engine/delivery.queries.js';
export type {
  ClaimedDelivery,
  NewDelivery,
  NewPayload,
  Result,
  SettledDelivery,
} from './engine/delivery.types.js';
export { killPending } from './engine/results/kill-pending.js';
export type { KillRequest } from './engine/results/kill-pending.js';
export { DELIVERIES, planDeliveries } from './engine/plan-deliveries.js';
export { backoffMs, retryAfterMs } from './engine/results/retry-policy.js';
export { appendOutbox, OUTBOX } from './outbox/outbox-event.js';
export type { OutboxEvent, OutboxRecord } from './outbox/outbox-event.js';
export { OutboxModule } from './outbox/outbox.module.js';
export { OutboxRelay } from './outbox/outbox-relay.js';
export type { OutboxSubscriber } from './outbox/outbox-relay.js';
export { OutboxWakeups } from './outbox/outbox-wakeups.js';
export { PlannedConfigs, planStatements } from './outbox/planned-configs.js';
export type { ConfigChange, ConfigIndex } from './outbox/planned-configs.js';
export { RelayLeadership } from './outbox/relay-leadership.js';
export { RelayModule } from './outbox/relay.module.js';
