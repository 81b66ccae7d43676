/** A name, a prefix followed by `*`, or a regular expression. */
export type Pattern = string | RegExp;

/** Whether a pattern matches a name. */
export function matchesPattern(pattern: Pattern, name: string): boolean {
  if (typeof pattern !== 'string') return name.search(pattern) >= 0;
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

/**
 * Events that a bot receives whatever its `event_types` are (docs/events.md#direct-events).
 * `APPROVAL_DECIDED` is another event.
 */
const DIRECT_EVENTS: readonly string[] = [
  'agent_run.stop_requested',
  'approval.decided',
  'shortcut.used',
  'home.action',
];

export const isDirectEvent = (name: string): boolean => DIRECT_EVENTS.includes(name);

/** Converts `message.created` to `MESSAGE_CREATED`. Direct events keep their names. */
export function eventType(name: string): string {
  return name === '*' || isDirectEvent(name) ? name : name.toUpperCase().replaceAll('.', '_');
}

/** Removes the slash of a command name. */
export const commandName = (name: string): string => name.replace(/^\//, '');
