/** Arguments of a tool, as they are drawn: a table of short values, or formatted JSON. */
export type ShownArguments =
  { kind: 'table'; rows: readonly { name: string; value: string }[] } | { kind: 'json'; text: string };

/** Longer tables are shown as JSON. */
const MAX_ROWS = 20;
/** Longer values are folded. */
export const FOLD_AT = 300;

/** Characters that are invisible or change how their surroundings are read. */
const HIDDEN = /[\p{Cc}\p{Cf}\u2028\u2029\u115F\u1160\u3164\uFFA0]/gu;
const HIDDEN_IN_LINES = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029\u115F\u1160\u3164\uFFA0]/gu;

/**
 * Returns a text with invisible and reordering characters as escapes, so that a person sees what
 * the bot will use. Line breaks and tabs stay if `isMultiline`.
 */
export function visible(text: string, isMultiline = false): string {
  return text.replaceAll(
    isMultiline ? HIDDEN_IN_LINES : HIDDEN,
    (one) => `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns how to show arguments: flat ones as a table. */
export function shownArguments(given: Readonly<Record<string, unknown>>): ShownArguments {
  const entries = Object.entries(given);
  const isFlat = entries.every(([, value]) => typeof value !== 'object' || value === null);
  if (!isFlat || entries.length > MAX_ROWS)
    return { kind: 'json', text: visible(JSON.stringify(given, null, 2), true) };
  return {
    kind: 'table',
    rows: entries.map(([name, value]) => ({
      name: visible(name),
      // Texts without quotes, unless they could be taken for another type.
      value: typeof value === 'string' && !isAmbiguous(value) ? visible(value, true) : JSON.stringify(value),
    })),
  };
}

/** Whether a text reads like a number, true, false or null, or starts or ends with a space. */
const isAmbiguous = (text: string): boolean =>
  text.trim() !== text || text === '' || /^(true|false|null|-?\d[\d.eE+-]*)$/.test(text);
