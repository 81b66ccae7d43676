export { BotMessagesModule } from './bot-messages.module.js';
