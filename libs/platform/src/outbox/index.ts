export { appendOutbox, OUTBOX } from './outbox-event.js';
export type { OutboxEvent, OutboxRecord } from './outbox-event.js';
export { OutboxModule } from './outbox.module.js';
export { OutboxRelay } from './outbox-relay.js';
export type { OutboxSubscriber, RelayEvents } from './outbox-relay.js';
export { OutboxWakeups } from './outbox-wakeups.js';
export { RELAY_EVENTS } from './relay-events.js';
export { RelayLeadership } from './relay-leadership.js';
export { RelayModule } from './relay.module.js';
