export { BotMessagesModule } from './bot-messages.module.js';
export { BotMessagesWorkerModule } from './scheduled-messages/scheduled-messages-worker.module.js';
export { EditBotMessage } from './edit-bot-message.js';
export { SendEphemeral } from './ephemeral/send-ephemeral.js';
export { parseScheduledMessage } from './scheduled-messages/dto/scheduled-message.dto.js';
export { ScheduleMessage } from './scheduled-messages/schedule-message.js';
export { SendBotMessage } from './send-bot-message.js';
