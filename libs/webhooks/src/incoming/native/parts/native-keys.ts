import { createHash } from 'node:crypto';

/** Maximum length of a key, in characters. */
const MAX_KEY = 128;

/** Keys that group the messages of a program. */
export interface NativeKeys {
  /**
   * The alert that the message is about. Repeats edit its message, and the end of the alert closes
   * it.
   */
  dedupKey?: string;
  /** The subject that the message is about. Its messages share a thread. */
  threadKey?: string;
  resolved?: boolean;
}

/**
 * Builds a key from the sender's identifiers. Hashes it if it is too long. Returns undefined if an
 * identifier is missing.
 */
export function keyOf(kind: string, ...parts: string[]): string | undefined {
  if (parts.some((part) => part === '')) return undefined;
  const key = [kind, ...parts].join(':');
  return [...key].length <= MAX_KEY ? key : `${kind}:${createHash('sha256').update(key).digest('hex')}`;
}

/** Returns the keys of an alert, or none if the sender gave none. */
export function alertKeys(dedupKey: string | undefined, isResolved: boolean): NativeKeys {
  return dedupKey === undefined ? {} : { dedupKey, resolved: isResolved };
}

/** Returns the key of a thread, or none if the sender gave none. */
export function threadKeys(threadKey: string | undefined): NativeKeys {
  return threadKey === undefined ? {} : { threadKey };
}
