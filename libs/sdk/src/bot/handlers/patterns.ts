/** A name, a beginning of one with `*` behind it, or an expression. */
export type Pattern = string | RegExp;

/** Whether the whole name is meant. */
export function fits(pattern: Pattern, name: string): boolean {
  if (typeof pattern !== 'string') return name.search(pattern) >= 0;
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

/** `message.created` is `MESSAGE_CREATED`; what has another form is left as it is. */
export function eventType(name: string): string {
  return name === '*' ? name : name.toUpperCase().replaceAll('.', '_');
}

/** With or without the slash. */
export const commandName = (name: string): string => name.replace(/^\//, '');
