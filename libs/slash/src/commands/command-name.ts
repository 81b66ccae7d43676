const NAME = /^[a-z][a-z0-9_-]{0,31}$/;

/** Returns whether a bot's command can have this name. */
export function isCommandName(name: unknown): name is string {
  return typeof name === 'string' && NAME.test(name);
}
