export { IncomingWebhooksAdminModule, IncomingWebhooksModule } from './incoming/incoming-webhooks.module.js';
export { SUBSCRIBABLE_EVENT_TYPES } from './outgoing/event-types.js';
export { OutgoingWebhooksAdminModule } from './outgoing/outgoing-webhooks-admin.module.js';
export { OutgoingWebhooksWorkerModule } from './outgoing/outgoing-webhooks-worker.module.js';
export { Redeliveries } from './outgoing/redeliveries.js';
export type { Redeliver } from './outgoing/redeliveries.js';
