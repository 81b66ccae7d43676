export { COMMAND_SECRET } from './commands/callbacks/command-secret.js';
export { SlashWorkerModule } from './slash-worker.module.js';
export { SlashAdminModule, SlashModule } from './slash.module.js';
export { SENT_COMMANDS } from './triggers/invocation-payload.view.js';
export { useTrigger } from './triggers/use-trigger.js';
