/** A name, a prefix followed by `*`, or a regular expression. */
export type Pattern = string | RegExp;

/** Whether a pattern matches a name. */
export function matchesPattern(pattern: Pattern, name: string): boolean {
  if (typeof pattern !== 'string') return name.search(pattern) >= 0;
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

/** Converts `message.created` to `MESSAGE_CREATED`. */
export function eventType(name: string): string {
  return name === '*' ? name : name.toUpperCase().replaceAll('.', '_');
}

/** Removes the slash of a command name. */
export const commandName = (name: string): string => name.replace(/^\//, '');
