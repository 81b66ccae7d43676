// Characters that make up words in any script: letters, combining marks, digits and "_".
const WORD = String.raw`[\p{L}\p{M}\p{N}_]`;
/** A mention followed by this is part of a path, package name, address or compound word. */
const GOES_ON = String.raw`[/@-]|\.\p{L}`;
const TOKEN = String.raw`(?<!\\)<@([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})>`;
/** Not at the end of a word or path, because `linkify` finds no address in `example.com/@here`. */
const AUDIENCE = String.raw`(?<!${WORD}|\\|${WORD}/)@(here|channel)(?!${WORD})`;
const MENTION = new RegExp(`(?:${TOKEN}|${AUDIENCE})(?!${GOES_ON})`, 'gu');

/** A mention in a text, between two indexes. */
export interface Mention {
  /** The id of a person or bot in lower case, `here` or `channel`. */
  of: string;
  start: number;
  end: number;
}

/**
 * Finds the mentions in a text that is not Markdown any more, in order
 * (docs/notifications.md#mentions).
 */
export function mentionsIn(text: string): Mention[] {
  return Array.from(text.matchAll(MENTION), (match) => ({
    of: (match[1] ?? match[2] ?? '').toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
  }));
}
