import { literalMarkdown } from '@tieline/markup';
import { cut } from './cut.js';
import type { Severity } from './severity.js';

/** Longest text of a message, in characters (contract, Limits). */
const MAX_TEXT = 4000;

/** What a sender wants shown, in the chat's own terms. */
export interface IncomingMessage {
  /**
   * Markdown, up to 4000 characters; empty when there are only buttons, files or pictures without
   * words.
   */
  text: string;
  /** Whether the text was made of the attachments and blocks. */
  textDerived?: boolean;
  /**
   * Attachments, blocks, buttons, files and severity as history answers them; absent when there are
   * none.
   */
  metadata?: object;
  displayName?: string;
  avatarUrl?: string;
  silent?: boolean;
  /** As sent, else by the colours, else `warning`. */
  severity: Severity;
  /**
   * Distinct uuids in lower case; whether they are people of the conversation is not known here.
   */
  mentions: string[];
  mentionsChannel: boolean;
  mentionsHere: boolean;
  /** Messages of one key stand in one thread. */
  threadKey?: string;
  /** Messages of one key are one message that is edited. */
  dedupKey?: string;
  /** What it is about is over. */
  resolved?: boolean;
  /** What was cut or dropped, for the request log. */
  notes: string[];
}

export type ParsedIncoming =
  { readonly ok: true; readonly message: IncomingMessage } | { readonly ok: false; readonly reason: string };

/** Why a body of a known format is refused. */
export const NOTHING_TO_SHOW: ParsedIncoming = { ok: false, reason: 'nothing to show' };

/** A text of at most 4000 characters; that it was cut goes into the notes. */
export function cutText(text: string, notes: string[]): string {
  return cut(text, MAX_TEXT, (length) => notes.push(`text: cut at ${MAX_TEXT} of ${length} characters`));
}

/**
 * Markdown that shows a text as it is; a text that needs more than 4000 characters is cut, which
 * goes into the notes.
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

/** Whether there is anything to see; a severity is nothing. */
export function isVisible({ text, metadata }: IncomingMessage): boolean {
  const { severity: _severity, ...visible } = (metadata ?? {}) as Record<string, unknown>;
  return text !== '' || Object.keys(visible).length > 0;
}
