export type { EventDeliveryMode } from './accounts/bot-settings.js';
export { BotsWorkerModule } from './bots-worker.module.js';
export { BotsAdminModule, BotsModule } from './bots.module.js';
export { appendDirectEvent } from './poll/direct-event.js';
export { PUSH } from './push/push-kind-name.js';
export { BOT_WEBHOOK_SECRET } from './push/webhook/webhook-secret.js';
export { redeliverPush } from './push/deliveries/redeliver-push.js';
export { byBot } from './accounts/record-bot-change.js';
export { deliveryModeOf, requireBot } from './accounts/bots.queries.js';
