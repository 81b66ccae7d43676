/** A part of a found text. */
export interface Piece {
  text: string;
  /** Whether the search matched it. */
  isMatch: boolean;
}

/** Number of characters shown before the first match, and in total. */
const BEFORE = 60;
const MOST = 280;
const MENTION = /<@([0-9a-f-]{36})>/gi;
const LINK = /\[([^\][]*)\]\([^()\s]*\)/g;
/** Signs of bold, struck and code. */
const SIGNS = /\*\*|~~|`+/g;

/**
 * Returns the part of a text around its first match, with names instead of the ids in mentions and
 * without signs of Markdown.
 *
 * @param highlights see docs/search.md#highlights
 */
export function snippet(
  text: string,
  highlights: readonly (readonly number[])[],
  nameOf: (id: string) => string,
): Piece[] {
  const pieces: Piece[] = [];
  const add = (from: number, to: number | undefined, isMatch: boolean) => {
    const part = text
      .slice(from, to)
      .replaceAll(MENTION, (_, id: string) => `@${nameOf(id)}`)
      .replaceAll(LINK, '$1')
      .replaceAll(SIGNS, '');
    if (part !== '') pieces.push({ text: part, isMatch });
  };
  let at = 0;
  for (const [start = 0, end = 0] of highlights) {
    add(at, start, false);
    add(start, end, true);
    at = end;
  }
  add(at, undefined, false);
  const [first, ...rest] = pieces;
  if (!first) return [];
  const begun = first.isMatch || rest.length === 0 ? first : { ...first, text: endOf(first.text) };
  return upTo(MOST, [begun, ...rest]);
}

function upTo(most: number, pieces: readonly Piece[]): Piece[] {
  const shown: Piece[] = [];
  let left = most;
  for (const piece of pieces) {
    if (piece.text.length > left) return [...shown, { ...piece, text: `${startOf(piece.text, left)}…` }];
    shown.push(piece);
    left -= piece.text.length;
  }
  return shown;
}

/** Returns the last words of a text. */
function endOf(text: string): string {
  if (text.length <= BEFORE) return text;
  const end = text.slice(-BEFORE);
  const space = end.search(/\s/);
  return `…${space < 0 ? whole(end) : end.slice(space + 1)}`;
}

/** Returns the first words of a text. */
function startOf(text: string, length: number): string {
  const start = text.slice(0, length);
  const space = start.search(/\s\S*$/);
  return space <= 0 ? whole(start) : start.slice(0, space);
}

/** Removes half a character at either end. */
const whole = (text: string): string => text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
