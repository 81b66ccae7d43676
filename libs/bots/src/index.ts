export { BOT_CHANGED } from './bot-changed.js';
export type { BotChanged } from './bot-changed.js';
export type { EventDeliveryMode } from './bot-settings.js';
export { deliveryModeOf } from './bots.queries.js';
export { BotsAdminModule, BotsModule } from './bots.module.js';
