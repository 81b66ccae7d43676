export { IncomingWebhooksAdminModule, IncomingWebhooksModule } from './incoming/incoming-webhooks.module.js';
export { INCOMING_SECRET } from './incoming/admin/incoming-secret.js';
export { SENT_TO_SUBSCRIPTIONS } from './outgoing/subscriptions/sent-events.view.js';
export { OUTGOING_SECRET } from './outgoing/subscriptions/outgoing-secret.js';
export { OutgoingWebhooksAdminModule } from './outgoing/outgoing-webhooks-admin.module.js';
export { PortalModule } from './outgoing/portal/portal.module.js';
export { OutgoingWebhooksWorkerModule } from './outgoing/outgoing-webhooks-worker.module.js';
