export { BreakerView } from './breakers/breaker.view.js';
export { breakerOf, breakersOf, openBreakersOf, worstPaused } from './breakers/breakers.queries.js';
export { DeliverySettings } from './delivery.settings.js';
export { DeliveryApiModule } from './delivery-api.module.js';
export { DeliveryWorkerModule } from './delivery-worker.module.js';
export { countDeadLetters, deadLetterCounter } from './engine/results/count-dead-letters.js';
export type { DeadLetterCounter } from './engine/results/count-dead-letters.js';
export { DeliveryModule } from './engine/delivery.module.js';
export type { AttemptFacts, AttemptFailure, DeliveryKind, DeliveryTarget } from './engine/delivery-kinds.js';
export { DeliveryKinds } from './engine/delivery-kinds.js';
export { RETRY_PROFILES } from './engine/delivery.types.js';
export type {
  ClaimedDelivery,
  NewDelivery,
  NewPayload,
  RetryProfile,
  SettledDelivery,
} from './engine/delivery.types.js';
export { closeBreaker } from './engine/results/close-breaker.js';
export type { Exhaustion, TargetKey } from './engine/results/exhausted-targets.js';
export { noteRedeliveries, noteRedelivery } from './log/note-redelivery.js';
export {
  countRecoverable,
  countWaiting,
  endedAmong,
  nextRecoverable,
  startOf,
} from './log/recoverable.queries.js';
export type { Recoverable, RecoverableRange } from './log/recoverable.queries.js';
export { IsTime } from './log/dto/is-time.js';
export { killPending, killUnsent } from './engine/results/kill-pending.js';
export { planDeliveries } from './engine/plan-deliveries.js';
export { findDelivery, listDeliveries } from './log/delivery.queries.js';
export type { DeliveryDetail } from './log/delivery.queries.js';
export { DeliveriesPage, DeliveryView, deliveryView } from './log/delivery.view.js';
export { DeliveriesQuery, logFiltersOf } from './log/dto/deliveries-query.dto.js';
export { lastHourOf, MOST_WAITING, waitingFor } from './minutes/minutes.queries.js';
export type { DeliveryCounts } from './minutes/minutes.queries.js';
export { TrialResultView } from './trials/trial-result.view.js';
export { Trials } from './trials/trials.js';
export { TrialsModule } from './trials/trials.module.js';
export { appendOutbox, OUTBOX } from './outbox/outbox-event.js';
export type { OutboxRecord } from './outbox/outbox-event.js';
export { OutboxModule } from './outbox/outbox.module.js';
export { OutboxRelay } from './outbox/outbox-relay.js';
export { RelayLeadership } from './outbox/relay-leadership.js';
export type { OutboxSubscriber } from './outbox/outbox-subscriber.js';
export { checkRowBudget } from './outbox/fairness/planning-budget.js';
export { partOf } from './outbox/planning/event-parts.js';
export { Interests } from './outbox/interests.js';
export { PlannedConfigs, planStatements } from './outbox/planned-configs.js';
export { PayloadReader } from './outbox/payload-reader.js';
export { RelayModule } from './outbox/relay.module.js';
