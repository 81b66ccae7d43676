import { createHash } from 'node:crypto';

/** Longest key of a sender, in characters. */
const MAX_KEY = 128;

/** Tells which messages of a program belong together. */
export interface NativeKeys {
  /** The alert that the message is about: its repeats edit one message, and its end closes it. */
  dedupKey?: string;
  /** The subject that the message is about: its messages share a thread. */
  threadKey?: string;
  /** Whether the alert is over. */
  resolved?: boolean;
}

/**
 * A key made from a sender's own one, hashed where it is too long; undefined where the sender gave
 * none.
 */
export function keyOf(kind: string, ...parts: string[]): string | undefined {
  if (parts.some((part) => part === '')) return undefined;
  const key = [kind, ...parts].join(':');
  return [...key].length <= MAX_KEY ? key : `${kind}:${createHash('sha256').update(key).digest('hex')}`;
}

/** The keys of an alert; none where its sender gave none. */
export function alertKeys(dedupKey: string | undefined, isResolved: boolean): NativeKeys {
  return dedupKey === undefined ? {} : { dedupKey, resolved: isResolved };
}

/** The keys of a subject that has a thread; none where its sender gave none. */
export function threadKeys(threadKey: string | undefined): NativeKeys {
  return threadKey === undefined ? {} : { threadKey };
}
