import type { Severity } from '../formats/severity.js';
import type { Payload } from './payload.js';

/** An address that a message leads to. */
export interface NativeLink {
  label: string;
  /** As sent: HTTPS becomes a button, HTTP stays in the text, anything else is left out. */
  url: string;
}

/** A picture of a message; only HTTPS addresses are shown. */
export interface NativeImage {
  url: string;
  alt: string;
}

/** What a sender's own format says. */
export interface NativeMessage {
  /** Shown as they are, each on a line of its own; empty ones are left out. */
  lines: string[];
  links: NativeLink[];
  images?: NativeImage[];
  severity: Severity;
}

/** What is known of a request besides its body. */
export interface NativeHints {
  /** GitHub's name of the event, from its header; it adds to what the body says. */
  event?: string | undefined;
  /** Whether a color gives the severity. */
  severityFromColor?: boolean;
  /** Whether messages are grouped by the keys of their senders. */
  groupAlerts?: boolean;
}

/** A format that a program sends of its own accord (decisions, section 11.2). */
export interface NativeFormat {
  /** How the program is called. */
  name: string;
  /** Tells it by its shape. */
  recognises(body: Payload, hints: NativeHints): boolean;
  read(body: Payload, hints: NativeHints): NativeMessage;
}

/** One line of several parts; empty ones are left out. */
export function line(...parts: string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

/** The first line of a text. */
export function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.trim() ?? '';
}

/** A number with its noun, such as `2 commits`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * A text that says that it is over, unless it says so already. Code and quotes keep their own first
 * line.
 */
export function asResolved(text: string): string {
  if (/resolved/i.test(text)) return text;
  return /^(?:```|>)/.test(text) ? `[RESOLVED]\n${text}` : `[RESOLVED] ${text}`;
}
