import { literalMarkdown } from '@tieline/markup';
import { cut } from './cut.js';
import type { Severity } from './severity.js';

/** Maximum length of a message text, in characters. */
const MAX_TEXT = 4000;

/** A button with an address, as message history returns it. */
export interface LinkButton {
  text: string;
  url: string;
}

/** A sender's message in the terms of this chat. */
export interface IncomingMessage {
  /**
   * Markdown, up to 4000 characters. Empty for a message with only buttons, files or images without
   * alternative text.
   */
  text: string;
  /** Whether the text was derived from attachments and blocks. */
  textDerived?: boolean;
  /**
   * Attachments, blocks, buttons, files and severity, as message history returns them. Absent if
   * there are none.
   */
  metadata?: object;
  displayName?: string;
  avatarUrl?: string;
  silent?: boolean;
  /** As sent, else from the colors, else `warning`. */
  severity: Severity;
  /** Distinct lower-case UUIDs. Not yet checked against the members of the conversation. */
  mentions: string[];
  mentionsChannel: boolean;
  mentionsHere: boolean;
  /** Messages with the same key go into one thread. */
  threadKey?: string;
  /** Messages with the same key edit one message. */
  dedupKey?: string;
  /** Whether the alert is over. */
  resolved?: boolean;
  /** What was cut or dropped, for the request log. */
  notes: string[];
}

export type ParsedIncoming =
  { readonly ok: true; readonly message: IncomingMessage } | { readonly ok: false; readonly reason: string };

export const NOTHING_TO_SHOW: ParsedIncoming = { ok: false, reason: 'nothing to show' };

/** Cuts a text at 4000 characters and adds a note if it was longer. */
export function cutText(text: string, notes: string[]): string {
  return cut(text, MAX_TEXT, (length) => notes.push(`text: cut at ${MAX_TEXT} of ${length} characters`));
}

/**
 * Escapes a text so that Markdown shows it unchanged. Cuts it if the result would exceed 4000
 * characters, and adds a note.
 */
export function literalText(text: string, notes: string[]): string {
  const whole = literalMarkdown(text);
  if (length(whole) <= MAX_TEXT) return whole;
  notes.push(`text: cut at ${MAX_TEXT} of ${length(text)} characters`);
  const characters = [...text].slice(0, MAX_TEXT);
  const upTo = (end: number): string => literalMarkdown(`${characters.slice(0, end).join('')}…`);
  let [fits, tooMany] = [0, characters.length];
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (length(upTo(middle)) <= MAX_TEXT) fits = middle;
    else tooMany = middle;
  }
  return upTo(fits);
}

function length(text: string): number {
  return [...text].length;
}

/** Whether the message has anything to display. A severity alone does not count. */
export function isVisible({ text, metadata }: IncomingMessage): boolean {
  const { severity: _severity, ...visible } = (metadata ?? {}) as Record<string, unknown>;
  return text !== '' || Object.keys(visible).length > 0;
}
