export { registerBuiltinCommand } from './builtin-commands.js';
export type { BuiltinAnswer, BuiltinCommand, BuiltinInvocation } from './builtin-commands.js';
