/**
 * Marks that search ignores: accents, vowel points of Hebrew and Arabic, variation selectors.
 * Vowel signs of other scripts are letters of a word, and the sound marks of Japanese change its
 * meaning.
 */
const IGNORED =
  /[\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u2069\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\ufeff]/g;

/** A character with the marks that follow it. */
const UNIT = /\P{M}\p{M}*|\p{M}+/gu;
const ASCII = /^[\0-\x7f]*$/;

/** A text in the form that words are compared in. */
export interface FoldedText {
  text: string;
  /** Returns the offset in the original text at which the folded character at `at` starts. */
  startOf(at: number): number;
  /** Returns the offset in the original text at which the folded character at `at` ends. */
  endOf(at: number): number;
}

/**
 * Folds a text: compatibility forms are replaced (NFKD), accents removed, and case folded fully, so
 * that `Straße`, `STRASSE` and `strasse` are equal. Offsets are UTF-16 code units.
 */
export function fold(text: string): FoldedText {
  if (ASCII.test(text)) return { text: text.toLowerCase(), startOf: (at) => at, endOf: (at) => at + 1 };
  const starts: number[] = [];
  const ends: number[] = [];
  let folded = '';
  for (const { 0: unit, index } of text.matchAll(UNIT)) {
    const form = foldUnit(unit);
    folded += form;
    for (let n = 0; n < form.length; n += 1) {
      starts.push(index);
      ends.push(index + unit.length);
    }
  }
  return { text: folded, startOf: (at) => starts[at] ?? 0, endOf: (at) => ends[at] ?? text.length };
}

function foldUnit(unit: string): string {
  const bare = unit.normalize('NFKD').replace(IGNORED, '');
  // The upper case is the full form: ß becomes SS, and both forms of sigma become one.
  return bare.toUpperCase().toLowerCase().normalize('NFC');
}
