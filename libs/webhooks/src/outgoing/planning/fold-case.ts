const NOT_ASCII = /[^\0-\x7F]/gu;
const CAPITALS = /[A-Z]+/g;
/** Dotless i: the only letter whose capital ("I") folds to a different letter ("i"). */
const DOTLESS_I = '\u0131';

/**
 * Folds case (Unicode full case folding, so "ß" equals "ss") and normalizes to NFC. Works letter by
 * letter, because the lower case of "Σ" depends on its position in the word.
 */
export function foldCase(text: string): string {
  return text
    .normalize('NFC')
    .replace(CAPITALS, (letters) => letters.toLowerCase())
    .replace(NOT_ASCII, foldLetter)
    .normalize('NFC');
}

function foldLetter(letter: string): string {
  if (letter === DOTLESS_I) return letter;
  const capitals = letter.toLowerCase().toUpperCase();
  return Array.from(capitals, (capital) => capital.toLowerCase()).join('');
}
