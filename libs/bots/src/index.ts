export { BOT_CHANGED } from './bot-changed.js';
export type { BotChanged } from './bot-changed.js';
export type { EventDeliveryMode } from './bot-settings.js';
export { BotsWorkerModule } from './bots-worker.module.js';
export { BotsAdminModule, BotsModule } from './bots.module.js';
export { deliveryModeOf } from './bots.queries.js';
