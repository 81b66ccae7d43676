export { registerBuiltinCommand } from './builtin-commands.js';
export type { BuiltinAnswer, BuiltinCommand, BuiltinInvocation } from './builtin-commands.js';
export { SlashWorkerModule } from './slash-worker.module.js';
export { SlashModule } from './slash.module.js';
export { useTrigger } from './use-trigger.js';
export type { AnswerPlace } from './use-trigger.js';
