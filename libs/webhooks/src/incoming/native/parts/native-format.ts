import type { Severity } from '../../message/severity.js';
import type { Payload } from '../../message/payload.js';
import type { NativeKeys } from './native-keys.js';
import type { SignatureReader } from './signatures.js';

/** A link of a message. */
export interface NativeLink {
  label: string;
  /** As sent. HTTPS becomes a button, HTTP stays in the text, anything else is dropped. */
  url: string;
}

/** An image of a message. Only HTTPS addresses are shown. */
export interface NativeImage {
  url: string;
  alt: string;
}

/** A message read from a native format. */
export interface NativeMessage {
  /** Literal text, a line each. Empty ones are dropped. */
  lines: string[];
  links: NativeLink[];
  images?: NativeImage[];
  severity: Severity;
}

/** Information about a request besides its body. */
export interface NativeHints {
  /** Event name from GitHub's header. Supplements the body. */
  event?: string | undefined;
  /** Whether a color sets the severity. */
  severityFromColor?: boolean;
  /** Whether messages are grouped by their keys. */
  groupAlerts?: boolean;
}

/** The native format of a program. */
export interface NativeFormat {
  /** Name of the program. */
  name: string;
  /** Recognizes the format by the fields of a body. */
  recognizes(body: Payload, hints: NativeHints): boolean;
  read(body: Payload, hints: NativeHints): NativeMessage;
  /** Returns the sender's own keys of the message. */
  keys?(body: Payload): NativeKeys;
  /** Reads the program's own signature (docs/incoming-webhooks.md#native-signatures). */
  signature?: SignatureReader;
}

/** Joins the non-empty parts into a line. */
export function line(...parts: string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

export function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.trim() ?? '';
}

/** Formats a count with its noun, such as `2 commits`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * Prefixes `[RESOLVED]` unless the text already contains it. Puts it on a separate line before
 * code and quotes.
 */
export function asResolved(text: string): string {
  if (/resolved/i.test(text)) return text;
  return /^(?:```|>)/.test(text) ? `[RESOLVED]\n${text}` : `[RESOLVED] ${text}`;
}
